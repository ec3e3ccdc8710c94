//! Words that show the structure of a title: the position of its verb, its subject, and if it allows another answer.

/// Refer to the past.
pub(super) const PAST: &str = "was were had again anymore got";

/// Follow the subject of a title.
pub(super) const AUXILIARIES: &str = "is are was were has have had must should may might can cannot could will would shall \
    need needs do does did never always now";

/// Third persons and plurals that are hardly ever nouns.
pub(super) const VERBS: &str = "use uses run runs live lives go goes come comes get gets take takes keep keeps hold holds \
    carry carries follow follows stay stays share shares accept accepts support supports wait waits hang hangs fail \
    fails break breaks expire expires return returns leak leaks flap flaps contain contains talk talks read reads write \
    writes send sends schedules own owns belong belongs sit sits reside lie lies throw throws cause causes make makes \
    give gives show shows help helps hurt hurts speeds slows slow improve improves raise raises lowers reduce reduces \
    increase increases lose loses ignore ignores refuse refuses reject rejects allow allows forbid forbids require \
    requires want wants prefer prefers like likes expect expects provide provides serve serves listen listens render \
    renders generate generates produce produces emit emits see sees treat treats hide hides kill kills restart restarts \
    reset resets pay pays work works crash crashes depend depends rely relies begin begins fall falls land lands remain \
    remains stand stands replace replaces dominate dominates starve starves ruin ruins fit fits open opens start starts \
    end ends branch answer answers train trains build";

/// Verbs that start a title in the imperative.
pub(super) const IMPERATIVES: &str = "use prefer adopt choose pick keep put run mock clear skip turn enable disable set start \
    stop deploy publish answer drop take restart resume avoid wrap return write seed raise increase lower decrease \
    rotate upgrade update approve warm switch explain build format store add remove delete leave call commit squash \
    merge rebase pin allow forbid log send name place split join copy install retry cache load sign encrypt check \
    validate test review ask let make limit cap order sort import export generate create render compile bundle lint \
    treat fail throw catch handle reset open close lock unlock inline extract vendor fetch pull push tag release hold \
    hide show print read track measure profile debug find bisect erase flash roll drain restore scale migrate move \
    replace expose go rely default wait poll ship serve host stage register rename define declare mark prefix document \
    comment specify configure";

/// The following word is the choice; the place or purpose is the subject.
pub(super) const CHOICES: &str =
    "use uses prefer prefers want wants like likes adopt choose go need needs expects";

/// Small words between an object and the way it is acted on.
pub(super) const LINKS: &str = "with by in on from as to via through at before after for instead without into off over \
    between under using against during onto rather per within and";

/// The following words are the subject of a title.
pub(super) const PLACES: &str = "for in on to as between when during inside under of across";

/// End the part of a title that can contain its verb.
pub(super) const BOUNDARIES: &str =
    "when if because unless until that which where while so but whenever since";

/// Start an object: a word before it that ends in `s` is a verb.
pub(super) const DETERMINERS: &str = "the a an its their no all every each our one this that";

/// Allow further answers of the kind.
pub(super) const OPEN: &str = "not no never need needs forbid forbids because when if unless also wants want likes like \
    prefers prefer see sees ignore ignores refuse refuses reject rejects without cannot end ends start starts";
