//! Closed word classes that cover all languages in one table: persons, places, conditions, languages. Classes specific
//! to a language are in [`crate::words`].

use crate::phrases::{Phrases, phrases};

pub(crate) const NEGATION: Phrases = phrases!("not|don't|nicht|no|ne|не|不|别|別|ない");
/// Words with which the agent addresses the person.
pub(crate) const YOUR_WORDS: Phrases = phrases!(
    "your answers|your replies|your responses|your messages|your explanations|your summaries|deine antworten|tus respuestas|tes réponses|свои ответы"
);
pub(crate) const MYSELF: Phrases = phrases!("i|i've|i'm|i'd|ich|yo|je|j'ai|я");
pub(crate) const PLACES: Phrases = phrases!(
    "in this project|in this repo|in this repository|in this codebase|for this project|for this repo|across the repo|across the codebase|everywhere|anywhere|in all|in every|for all|for each|for every|im projekt|en este proyecto|dans ce projet|в этом проекте|в проекте"
);
pub(crate) const CONDITIONS: Phrases = phrases!("if|when|wenn|falls|si|если|如果|もし");
pub(crate) const ALL_OF: Phrases = phrases!(
    "all|every|each|alle|jede|jeder|jedes|todos|todas|cada|tous|toutes|chaque|все|каждый|каждая|所有|每个|すべて|全て"
);
/// Predicates of things that may not be touched.
pub(crate) const BANNED: Phrases = phrases!(
    "is off limits|are off limits|is not allowed|are not allowed|isn't allowed|aren't allowed|is forbidden|are forbidden|is banned|are banned|is prohibited|are prohibited|     is read only|are read only|is frozen|are frozen|ist tabu|sind tabu|ist verboten|sind verboten|está prohibido|están prohibidos|est interdit|sont interdits|запрещено|запрещены",
);
pub(crate) const POLICY: Phrases = phrases!(
    "bei uns|chez nous|у нас|with us|our policy|our rule|our convention|the rule is|the convention is|house rule|our standard|the policy is|unsere regel|unsere konvention|nuestra regla|notre règle|наше правило"
);
/// Words for permanent states.
pub(crate) const STANDS: Phrases = phrases!(
    "is always|are always|is never|are never|always is|always are|always goes|always go|ist immer|sind immer|ist nie|sind nie|es siempre|son siempre|est toujours|sont toujours|n'est jamais|всегда в|总是|永远是|常に"
);
pub(crate) const ARTICLES: Phrases = phrases!(
    "the|a|an|all|every|each|my|our|any|new|it|this|that|to|up|some|your|more|out|in|on|sure|me|us"
);
/// After `I want`, these request something now.
pub(crate) const WANTED_NOW: Phrases = phrases!(
    "to|you|a|an|the|this|it|that|one|another|some|see|more|what|something|us|me|how|two|three"
);
pub(crate) const STATIVE: Phrases = phrases!(
    "have|know|see|think|care|get|seem|remember|understand|need|want|like|mind|really|actually|yet|even|currently"
);
pub(crate) const PARTICIPLES: Phrases = phrases!(
    "written|kept|done|cut|built|sent|set|run|put|read|made|held|spelt|sorted|bought|taken|given|shown|hidden|left|chosen|split|frozen"
);
pub(crate) const UNLASTING: Phrases = phrases!(
    "failed|fixed|finished|merged|pushed|broken|closed|resolved|updated|added|changed|installed|related|outdated|confused|supposed|needed|used|passed|crashed|blocked|stopped|completed"
);

pub(crate) const PERSONS: Phrases =
    phrases!("i|we|you|it|they|i'm|we're|you're|he|she|ich|wir|du|yo|je|tu|я|ты|мы|он|она|они");
pub(crate) const HERE: Phrases = phrases!(
    "ce sera|il faut|il ne faut|il ne peut y avoir|il doit y avoir|il devrait y avoir|il ne devrait y avoir|il ne doit y avoir|es darf|es dürfen|es muss|es müssen|es gibt keine|it was decided|it is decided|it has been decided|this project|this repo|this repository|this codebase|this team|this app|here we|there must|there should|there shouldn't|there may|there is no|diese codebase|dieses projekt|dieses repo|este proyecto|este repositorio|ce projet|ce dépôt|этот проект|这个项目|這個專案|このプロジェクト|このリポジトリ"
);
pub(crate) const OURS: Phrases = phrases!(
    "project|repo|repository|codebase|team|app|service|org|organisation|organization|product|company|crate|package|library|monorepo|code"
);
/// Verbs after `this`: the clause continues the preceding one.
pub(crate) const GOES_ON: Phrases =
    phrases!("will|makes|is|aligns|would|means|keeps|helps|avoids|lets|allows|prevents");
pub(crate) const NONE_OF: Phrases =
    phrases!("no|keine|kein|keinen|ningún|ninguna|pas de|aucun|aucune|никаких|никакие");
pub(crate) const SETTINGS: Phrases =
    phrases!("for|in|on|with|under|during|für|bei|in der|para|en|pour|dans|для|в|при");
pub(crate) const OPENING_S: Phrases =
    phrases!("this|always|yes|thanks|tests|has|does|was|its|perhaps|sometimes|us|is|as");
pub(crate) const NO_HABIT: Phrases = phrases!(
    "need|want|should|could|can|might|may|have|had|are|were|was|will|would|must|did|do|think|know|got|went|saw|see|made|found|thought|\
     don't|didn't|can't|couldn't|haven't|just|still|already|also|actually|now|then|already|merged|lost|got|came|ran|wrote|said|left|put|had|shall|forgot|broke",
);

pub(crate) const LANGUAGES: Phrases = phrases!(
    "in english|in german|in french|in spanish|in portuguese|in italian|in russian|in japanese|in chinese|in korean|auf deutsch|auf englisch|\
     en español|en inglés|en castellano|en français|en anglais|на русском|на английском|по русски|по английски|中文|英文|繁中|简中|簡中|繁體|简体|日本語|英語",
);
pub(crate) const WRITING: Phrases = phrases!(
    "answer|answers|respond|reply|replies|speak|talk|write|output|comments|messages|docs|documentation|antworte|antworten|schreibe|schreib|sprich|kommentare|\
     responde|escribe|respuestas|comentarios|réponds|répondre|écris|commentaires|отвечай|отвечайте|пиши|пишите|комментарии|回答|回复|回覆|输出|輸出|注释|註解|\
     出力|コメント|返答|答えて|回答して|書いて|返信",
);
pub(crate) const TRANSLATING: Phrases = phrases!(
    "translate|translation|translations|übersetze|übersetzung|traduce|traducción|traduis|traduction|переведи|перевод|翻译|翻譯|翻訳"
);

/// Labels that announce a decision.
pub(crate) const OUTCOMES: Phrases = phrases!(
    "decision|decided|outcome|result|final answer|verdict|conclusion|upshot|ergebnis|entscheidung|beschluss|decisión|resultado|conclusión|décision|résultat|verdict|решение|итог|вывод|结论|結論|决定|決定"
);
/// Before a colon, these introduce reported speech.
pub(crate) const SAYING: Phrases = phrases!(
    "wrote|writes|said|says|say|sent|asked|asks|told|thinks|suggested|claims|schrieb|schreibt|sagt|sagte|escribió|dice|dijo|écrit|dit|пишет|написал|написала|сказал|说|說|写道|言って|書いて"
);
/// Indefinite persons: the sentence is not a rule for them.
pub(crate) const SOMEBODY: Phrases = phrases!(
    "somebody has to|someone has to|nobody has to|somebody must|someone must|nobody needs to|no one has to|somebody needs to|someone needs to|jemand muss|niemand muss|alguien tiene que|nadie tiene que|quelqu'un doit|personne ne doit"
);
/// Words for unknown things.
pub(crate) const VAGUE: Phrases = phrases!(
    "somewhere|somehow|some kind|some sort|irgendwo|irgendwie|en algún sitio|en alguna parte|de alguna manera|quelque part|где-то|как-то|какой-то"
);
/// Needs that are often met once: `the entries need a place`.
pub(crate) const NEEDS: Phrases = phrases!(
    "needs|need|requires|require|have to|has to|braucht|brauchen|benötigt|necesita|necesitan|a besoin|nécessite|требуется|нужно|надо|需要"
);
/// Words that tie a statement to the moment.
pub(crate) const MOMENT: Phrases = phrases!(
    "now|currently|still|just|was|were|been|did|had|again|already|yet|jetzt|gerade|noch|war|waren|wurde|wurden|hatte|ahora|todavía|era|estaba|maintenant|encore|était|сейчас|ещё|еще|был|была|было|были"
);
/// Words that drop a subject.
pub(crate) const DISMISSED: Phrases = phrases!("never mind|nevermind");
/// What something always or never does; beside a fault it is a report, and no rule.
pub(crate) const BEHAVES: Phrases =
    phrases!("it never|it always|they never|they always|es nie|es immer");
/// Verbs of a report: something happened.
pub(crate) const HAPPENED: Phrases = phrases!(
    "lost|stopped|went|got|came|became|disappeared|vanished|started|began|died|ran|threw|hung|refused|timed out|verlor|verschwand|ging|kam|perdió|dejó de|a perdu|a cessé|пропал|пропала|перестал|перестала"
);
/// Words of a request.
pub(crate) const PLEASE: Phrases = phrases!(
    "please|pls|have a look|take a look|look at|bitte|por favor|s'il te plaît|s'il te plait|stp|svp|пожалуйста|请帮|請幫|ください|お願い"
);
/// Words of a complaint.
pub(crate) const DENIALS: Phrases = phrases!(
    "not|doesn't|don't|isn't|aren't|can't|cannot|won't|didn't|a bit off|there is|there are|there's|good|fine|great|nice|final task|mess|too|suspended|nicht|no|ne|не"
);
/// After a verb, these are its object.
pub(crate) const OBJECTS: Phrases = phrases!(
    "the|a|an|it|this|that|these|those|them|me|us|my|your|our|all|every|some|up|out|yours|him|her|its|to|and|in"
);
/// Words that open the subject of a statement.
pub(crate) const SUBJECTS: Phrases = phrases!(
    "the|a|an|our|my|your|all|every|each|no|this|that|these|those|it|we|i|you|they|he|she|there|one|two|three|half|most|some|any|both|only|with|without|for|in|on|at|after|before|when|if|of|by|from|what|who|anything|everything|nobody|everybody|people|and|but|so|because|since|as|not|otherwise|then|else|maybe|der|die|das|ein|eine|unser|unsere|el|la|los|las|un|una|nuestro|nuestra|le|les|des|notre|nos"
);
/// Verbs of being and having.
pub(crate) const VERBS: Phrases = phrases!(
    "is|are|has|have|can|may|do|does|go|get|see|need|come|ist|sind|hat|haben|kann|es|son|está|están|tiene|tienen|est|sont|a|ont|peut"
);
/// Forms of address for the agent.
pub(crate) const YOU: Phrases = phrases!("you|you've|you're|du|tú|tu|ты|你|您|vous|usted");
/// Words that introduce a condition of the moment.
pub(crate) const AT_ONCE: Phrases =
    phrases!("now|jetzt|ahora|maintenant|сейчас|теперь|现在|現在|今は|for now");
/// Words for using something for a purpose.
pub(crate) const USING: Phrases =
    phrases!("use|verwende|nimm|nutze|usa|utiliza|utilise|prends|используй|бери");
/// Words that introduce a purpose.
pub(crate) const PURPOSES: Phrases = phrases!("for|für|para|pour|для");
/// Negations that forbid only at the start of a clause.
pub(crate) const NOT_DOING: Phrases = phrases!("do not|don't|dont|cannot|no longer");
/// Negations that forbid at the start of a sentence.
pub(crate) const NOT_DOING_OPENS: Phrases =
    phrases!("do not|don't|dont|you cannot|you do not|you don't|we do not|we don't|no longer");
/// Words that forbid in any position.
pub(crate) const FORBIDDING: Phrases = phrases!(
    "must not|mustn't|must never|should not|shouldn't|should never|shall not|may not|may never|never|not allowed|forbidden|banned|off limits|prohibited|under no circumstances|don't belong|do not belong"
);
/// Words that introduce an indirect question.
pub(crate) const ASKED_WITHIN: Phrases = phrases!("how|why|what|whether");
/// Words that define a meaning.
pub(crate) const MEANS: Phrases = phrases!(
    "means|mean|stands for|stand for|bedeutet|bedeuten|heißt|significa|significan|signifie|signifient|означает|означают|代表|意味着|を意味"
);
/// Words that introduce a proposal.
pub(crate) const LETS: Phrases =
    phrases!("on to|next|let's|lets|let us|lass uns|lasst uns|vamos a|давай|давайте|我们来|咱们");
/// Orders that are never completed.
pub(crate) const KEEPING: Phrases = phrases!(
    "keep|avoid|prefer|stick|treat|leave out|stay|halte|vermeide|bevorzuge|mantén|evita|garde|évite|держи|избегай"
);
/// Words that exclude everything else.
pub(crate) const ONLY: Phrases =
    phrases!("only|nur|sólo|solo|solamente|seul|seuls|seule|только|只有|只能");
/// Orders about how to talk to the person.
pub(crate) const TALKING: Phrases =
    phrases!("answer|respond|reply|speak|antworte|responde|réponds|отвечай");
pub(crate) const IN_SOME_WAY: Phrases = phrases!("in|auf|en|по|briefly|short|concisely|kurz");
/// Openings of a condition that returns; a report has them, too (`every time I open it, it crashes`).
pub(crate) const EACH_TIME: Phrases = phrases!(
    "every time|each time|any time|anytime|whenever|jedes mal|jedesmal|cada vez|chaque fois|каждый раз|每次"
);
/// `Dafür` is explained by what follows the verb.
pub(crate) const DECIDED_FOR: Phrases = phrases!(
    "dafür entschieden|dagegen entschieden|darauf geeinigt|darauf verständigt|darauf festgelegt"
);
/// What people call their own code.
pub(crate) const HOUSE: Phrases = phrases!(
    "the repo|this repo|our repo|the repository|this repository|the project|this project|our project|the codebase|this codebase|our codebase|the team|our team|das projekt|dieses projekt|el proyecto|este proyecto|le projet|ce projet"
);
/// Verbs of a habit of code.
pub(crate) const FOLLOWS: Phrases = phrases!(
    "uses|follows|targets|avoids|sticks|prefers|nutzt|verwendet|folgt|usa|utiliza|sigue|utilise|suit"
);
pub(crate) const ONE: Phrases =
    phrases!("one|a single|exactly one|at most one|ein|eine|un|una|une|один|одна|одно");
/// These open a remark.
pub(crate) const ONE_MORE: Phrases = phrases!(
    "one more|one last|one thing|one question|one sec|one moment|one of|one day|one by|one idea|one option|one way|one problem|one issue"
);
pub(crate) const PER: Phrases = phrases!("per|pro|por|par|на каждый|на каждую");
/// Persons in any position.
pub(crate) const SPEAKERS: Phrases =
    phrases!("i|i'm|i've|me|you|you're|you've|ich|mir|du|yo|je|tu|я|мне|ты");
/// The whole of the code.
pub(crate) const EVERYWHERE: Phrases = phrases!(
    "everywhere|throughout|across the whole|across the board|across the codebase|across the repo|across the project|across all|system wide|überall|en todas partes|partout|везде|повсюду"
);
/// At the end of a statement about all of a kind.
pub(crate) const AMONG_US: Phrases = phrases!(
    "here|with us|for us|in this repo|in this project|in this codebase|in our code|bei uns|hier|aquí|chez nous|ici|у нас|здесь"
);
pub(crate) const BEING: Phrases =
    phrases!("is|are|has|have|ist|sind|hat|haben|es|son|tiene|tienen|est|sont|ont");
/// Verbs of what all of a kind do because somebody wants it.
pub(crate) const DOING: Phrases = phrases!(
    "gets|get|goes|go|lives|live|uses|use|owns|own|carries|carry|returns|return|stays|stay|starts|start|ends|end|follows|follow|comes|come|bekommt|bekommen|kriegt|geht|gehen|nutzt|nutzen|kommt|kommen|trägt|lleva|llevan|van|va|usa|usan|utilise|utilisent|passe|passent|получает|храним|используем|идёт|идут"
);
/// Openings with `all` that state nothing about a kind.
pub(crate) const ALL_TOLD: Phrases = phrases!(
    "all good|all done|all set|all right|all of|all in|all i|all we|all you|all that|all this|all those|all these|all the|all is|all are|all my|every second|every other|every third|every time|each time|every now|every day|every once|each of|jedes mal|alles|cada vez|chaque fois|tous les jours|каждый раз"
);
/// Words of an observation: what something takes, shows or lacks.
pub(crate) const OBSERVED: Phrases = phrases!(
    "takes|took|for some reason|in there|pass|passes|passed|green|red|grün|rot|verde|rojo|vert|rouge|fine|missing|empty|gone|seems|seem|looks|look|shows|seconds|minutes|hours|dauert|fehlt|fehlen|tarda|falta|faltan|prend|manque"
);
/// What the person is about to do.
pub(crate) const PLANS: Phrases =
    phrases!("i'll|i will|i'm going to|ich werde|voy a|je vais|я сделаю|我会|我會");
/// Words of annoyance: what always or never happens is told, and not asked for.
pub(crate) const COMPLAINTS: Phrases = phrases!(
    "ugh|sucks|sucked|noisy|annoying|annoys|annoyed|whatever|terrible|horrible|awful|nervt|nervig|ärgerlich|ätzend|qué asco|molesta|pénible|бесит|надоело|好烦|うざい"
);
/// A thing that has to be another one is a task.
pub(crate) const BECOMES: Phrases = phrases!(
    "has to become|have to become|must become|should become|needs to become|has to change|must change|should change|needs to change|needs fixing|muss geändert werden|tiene que cambiar|doit changer"
);
