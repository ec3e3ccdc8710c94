//! Frequencies of three-byte sequences in sessions of agents, so that keywords are searched for by their rarest one.

use std::sync::LazyLock;

/// Costs of two- and three-byte sequences, by their six-bit codes.
pub(crate) struct Costs {
    code: fn(u8) -> u8,
    pairs: Vec<u32>,
    triples: Vec<u16>,
}

impl Costs {
    /// `code` maps bytes that count as equal to one code.
    pub(crate) fn new(code: fn(u8) -> u8) -> Self {
        let mut costs = Self {
            code,
            pairs: vec![0; 1 << 12],
            triples: vec![0; 1 << 18],
        };
        let lines = COMMON.lines().flat_map(|line| line.as_bytes().chunks(3));
        for (rank, bytes) in lines.enumerate() {
            // Approximately as measured: occurrences per million positions.
            let cost = 125_000 / (rank as u32 + 20);
            let (pair, whole) = (costs.place(&bytes[..2]), costs.place(bytes));
            costs.pairs[pair] += cost;
            costs.triples[whole] = costs.triples[whole].saturating_add(cost as u16);
        }
        costs
    }

    /// Returns the approximate number of positions in a million at which these two or three bytes occur.
    pub(crate) fn of(&self, bytes: &[u8]) -> u32 {
        let rare: u32 = bytes
            .iter()
            .map(|byte| u32::from(RARITY[usize::from(*byte)]))
            .sum();
        let place = self.place(bytes);
        match bytes {
            [_, _, _] => u32::from(self.triples[place]) + 60 / (rare + 1),
            _ => self.pairs[place] + 600 / (rare + 1),
        }
    }

    fn place(&self, bytes: &[u8]) -> usize {
        let codes = bytes.iter().map(|byte| usize::from((self.code)(*byte)));
        codes.fold(0, |place, code| place << 6 | code)
    }
}

/// Reports whether three letters are among the most common sequences, in any case.
pub(crate) fn is_common(letters: &[u8]) -> bool {
    static PLACES: LazyLock<Vec<u32>> = LazyLock::new(|| {
        let lines = COMMON.lines().flat_map(|line| line.as_bytes().chunks(3));
        let mut places: Vec<u32> = lines.map(place_of).collect();
        places.sort_unstable();
        places
    });
    PLACES.binary_search(&place_of(letters)).is_ok()
}

fn place_of(letters: &[u8]) -> u32 {
    let lower = letters.iter().map(|it| u32::from(it.to_ascii_lowercase()));
    lower.fold(0, |place, byte| place << 8 | byte)
}

/// [`rarity`] of every byte.
static RARITY: [u8; 256] = {
    let mut all = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        all[byte] = rarity(byte as u8);
        byte += 1;
    }
    all
};

const fn rarity(byte: u8) -> u8 {
    match byte {
        b'z' | b'q' | b'j' | b'~' | b'$' | b'@' | b'^' => 9,
        b'x' | b'k' | b'w' | b'v' | b'=' | b'#' | b'%' => 7,
        b'0'..=b'9' | b'b' | b'h' | b'y' | b'_' | b'-' | b':' | b'/' | b'.' => 5,
        b'p' | b'f' | b'g' | b'm' | b'u' | b'd' | b'+' | b'&' | b'\\' => 4,
        b'c' | b'l' | b' ' | b'\'' | b'"' => 3,
        0x80.. => 8,
        _ => 1,
    }
}

/// The most common three-byte sequences of sessions, in order.
const COMMON: &str = r##"ent\t\t\t\n n  ":"ion","\n\ingageessn\t thtioate... coconntistathecom reusessie":eststriresiocliser
proileerrd":he chetypandsesinted ypeommtraons/cltir/en{\n stresers {\reagenwor,\n:   inli/or filati
re/ode toputorktes \";\nng n\nid"nteect}\n)\nmesforexton ":{tur---rattri ses":rinmitted pr\",es  er
nd  anpe"terontif to ,"thececkdat fiool// tatnt cmdamee/cokemmitreer allensistoinnamtordertoomanout
patken,"ctokpoimd/gitideran = retsag fost lin:{""tyd/et":.goverithetutegathvalacenpuurn  1\":ten": 
codit nstckpeatimeinp,"sles.\n\t} chis rromenpacromeveeadkporepssaanctimrennts isre  derorparareven
ns" paassineiters/\\n},");\e c exchatinegytifn": tr\n-sonain"tomodcree stexe trn ata\n+ompactnt"ult
cti202eme/ust}\in se   \th le  nos t",\ a s ate \tirr ts  usstoset  }ullnots, encoreackbraclammaere
\n/ :=on"\n1scrnchrun:= calncei/senv"cor\ngo-onievaortaildire awit{"tcri  "riptpu,"i/stspaounudei/c
met\t/atu manilat achal ", equutp:"2t//, eals\trt t oriptrecgetrovprendethi agnalque wi"rereq/wojec
e, gy/\"\ampdev"st niind iferaelehanesut\"epo/co,"utan-\t asporasenidptis/s26-  2es/truiss6-0bled t
urefro/detem clgest",e: (\"leddellse"ca te ca026\tcn- "palaurksuidracn+  meabluncly /cmple"usry art
appundopede  liaudt.gory"sestihisge" wo beesecacmplt apenophbasmarfunetauuifalll ===t: en vidookns 
depredantksps\nsulueslog:"tcesalu wh"ti+  insn tjsoolueco"mece om t cper  creee iendst.pri001t sual
etehatch mine/dexpon.let \ taltar"20= n di/so: \rt eplhemtteoviash) {nv/":1ot rk/.mdpossopivetchh/w
iniyouil new entamplaangert neph/sedshohoo\ncan  !="in shtcoans ofrsitad on\r\me  - d:  frt ict try
thaas :"ccur"}}ste\\\s: def domptge  loadanulnge,\"whe\"cv/ceri sue fernk/erefdocut tho  3ali01bcto
 arlea, simpninmpo.concm:"a}},p":anuediritet s\"u00e",, a: "ve  yorremp"e p ru ithass i\u01b{ginplo
tusitye\n get rtidenaloan/u\n2s fe rt, ove:\"desoadadd!= : s\")ormoptonlmerrna  rl {"\nmaitoparyher
src mosisexipec:"eole\tst fnses/c\" ts/id decrojse,n aonf/agloy ha~~~arddedntarc/.st burchoje,"rlen
ctematon\ponntrouritickaof kaguatnda alselow /maiesld rceremluafaidarifiaut  4d, tasr :: {r t.tslic
:"mearhen:fa":\stsnc cath": }\locf elemdleuntsha"iscorthuarcntvdowe\"ski== din, \l",grad\" ever" op
:\neassec":fed.le"  s\\"echepanuad angsesce eden,"mespsidaskillralwriou tiv \n## in"/srars  ixtelob
e,"spenlyun , oll,find\nsum"giurr faondr !/prlishub crnt/onesse\"tn ilatpt ew canargptsndlerver.t\n
  5t p"tefmt brtitfie"exspoferhoues.rolts. unnctn s/che w 10berorirtid sn\"ocsmbes c:nulasnfi, crou
":n\tte o-rerue sot w fu =={\"facdisican f ap  6mt.cwd, f leeanntu gindssin:"/att,"pn","id"as:"rz",
lusetrize() tuu },s s>\nd crma --ildnums/a ho + r anscnco ta"/uhaied\f(\ostkinhinnesemitti:"sut"bac
emoseauldctsde-uti **count.ade,"or, solmsgr cown\"s\"ft mumbummrgener:{{/palowl,"nt-win.jse drkt"ou
f tn cfeaf (d fes\"ro}}}synal"ditemptic\n3clene ockleritteidstdd it.etses o/sessur",y/m000phede/{"p
ice-06},\ imrtysou adoullan"veaulgrepususan nch"e nsitomeettktrrevatcwd"  7har,"vitso-1ephetstbrs w
 idnfoy tmaptel"cwmise b{{"butuct** e m-co"uu aturcsue {}":0me"kerxis: %efaitbincignocaad  ba  t\tf
t b"},luges": 'd",ng-yme.er nun//us  : g ttair srocaso, tbuir)\/relec wa06-d bes, { fixgem0,"tstlab"##;
