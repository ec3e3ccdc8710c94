//! Functions of words in a sentence, whatever they mean: choosing, acting, denying, and function words.

/// Verbs whose object is a choice.
pub(super) const CHOOSE: &str = "use switch rely default want target";

/// Verbs whose object is the subject of the choice.
pub(super) const ACT: &str = "store run check create write deploy place format lint build compile handle convert \
    name wrap split join copy install apply validate manage parse serve host generate send get log test \
    commit merge import cache mock load sign encrypt publish set pass bundle render sort track measure";

/// Words that carry little meaning anywhere.
pub(super) const GENERIC: &str = "use file code run test config set make change work value way thing case project \
    command new step add must line name function argument place store default same every only one \
    see instead need setting before after time call user want ask prefer";

/// Function words.
pub(super) const STOP_WORDS: &str = "a an and are as at be been being but by can could did do does doing for from had has have having he \
    her here his how i if in into is it its itself me my of on onto or our out over own she so some such than that the their \
    them themselves then there these they this those through to too under until up upon us very was we were what when where \
    which while who whom will with would you your also already now just still yet again ever even both either neither \
    about above across against along among around below between beyond down during except off per since toward via without \
    t s re ve ll d m don doesn didn isn aren wasn weren won wouldn shouldn couldn mustn can cannot not no never nor \
    always should must might may shall unless because though although however therefore thus hence whenever wherever \
    whether please simply really actually basically quite rather instead like e g i etc eg ie vs let lets get gets got \
    make makes sure note remember end thing things way ways much many more most less lot lots bit well kind sort any \
    longer anymore every each all only otherwise else take once give given go goes went gone";

pub(super) const NUMBER_WORDS: &[(&str, &str)] = &[
    ("zero", "0"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("twelve", "12"),
    ("fifteen", "15"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("eleven", "11"),
    ("sixty", "60"),
    ("hundred", "100"),
    ("thousand", "1000"),
];

/// An earlier statement continues to hold, and more is added.
pub(super) const CONTINUITIES: &str = "stay stays stayed stand stands keeps still unchanged also added besides \
    except further plus too additionally remains unless exception extended now";

/// The following word is given up, or the preceding one after `was`.
pub(super) const REJECTIONS: &str = "drop dropped dropping retire retired abandon abandoned \
    deprecate deprecated ditch ditched discouraged unsupported gone \
    revert reverted replace replaced replaces replacing superseded cancel cancelled canceled scrap scrapped \
    stopped ended undone abolished scrapping discontinued decommissioned withdrawn obsolete superseded ripped \
    pointless sunset refuted disproved mistaken";

/// The preceding word is given up after `was`; otherwise a plain action.
pub(super) const REMOVALS: &str = "deleted removed revoked ported expired disabled converted unused lifted repealed \
    banned forbidden uninstalled";

/// After these, `from` and `off` name what was left.
pub(super) const MOVES: &str = "switch switched switching migrate migrated migrating move moved moves moving away \
    changed went port ported";
