//! Word tables: for each language the small closed word classes that make a sentence a rule, a decision or a
//! preference, and those that make it a passing remark. Nothing here names a project, a tool or a subject.

use crate::phrases::{Phrases, phrases};

/// The closed word classes of one language.
#[derive(Debug)]
pub(crate) struct LanguageTables {
    /// Words are separated by spaces; otherwise phrases match anywhere.
    pub(crate) spaced: bool,
    /// Function words that identify the language.
    pub(crate) small: Phrases,
    /// Words that make a sentence hold from now on.
    pub(crate) scope: Phrases,
    /// All, every, any, only: scope if the rest of the sentence is a rule.
    pub(crate) wide: Phrases,
    pub(crate) must: Phrases,
    /// A prohibition in any position.
    pub(crate) forbid: Phrases,
    /// Orders that say how work is done.
    pub(crate) orders: Phrases,
    /// Orders that say what to do now.
    pub(crate) tasks: Phrases,
    pub(crate) decided: Phrases,
    /// Predicates of a thing that is settled from now on.
    pub(crate) settled: Phrases,
    /// Words for the cure of a fault.
    pub(crate) cures: Phrases,
    /// A proposal that its speaker settles: `let's use`.
    pub(crate) propose: Phrases,
    /// Wishes of the person about how work is done.
    pub(crate) prefer: Phrases,
    /// Requirements of the person's consent.
    pub(crate) consent: Phrases,
    /// Requests to remember something.
    pub(crate) remember: Phrases,
    pub(crate) contrast: Phrases,
    pub(crate) reason: Phrases,
    /// Words for where things belong.
    pub(crate) belong: Phrases,
    /// Conditions under which a rule holds: `when you`.
    pub(crate) whenever: Phrases,
    /// Only for the moment.
    pub(crate) passing: Phrases,
    /// Doubt.
    pub(crate) hedge: Phrases,
    /// Something is broken, or was just done.
    pub(crate) status: Phrases,
    /// Openings that ask the agent for something or about something.
    pub(crate) asking: Phrases,
    /// Words that point outside the sentence when it opens with them.
    pub(crate) pointing: Phrases,
    /// Words that point outside in any position.
    pub(crate) hanging: Phrases,
    /// Openings without meaning.
    pub(crate) filler: Phrases,
    /// Ends of clauses that a title can do without.
    pub(crate) clause: &'static [&'static str],
}

pub(crate) static ENGLISH: LanguageTables = LanguageTables {
    spaced: true,
    small: phrases!(
        "the|a|an|to|of|is|are|be|not|for|with|and|it|we|that|from|by|or|this|you|i|don't|in|on|at|let's|when|before|after|do|have|has|i'd|only|no|please|use|should|our|my|your|must|never|always|all",
    ),
    scope: phrases!(
        "always|never|from now on|from here on|going forward|in future|in the future|whenever|every time|each time|any time|anytime|\
         in this project|in this repo|in this repository|in this codebase|in this code base|in this team|for this project|for this repo|\
         for this repository|across the project|across the repo|across the codebase|everywhere|anywhere|by default|the default|as default|as a rule|\
         in general|no exceptions|without exception|under no circumstances|at all times|at no point|no matter|for good|permanently|\
         not even once|as a matter of principle|in all cases|in every case|on every|on each|for every|for each|in every|in all|for all|\
         before every|before each|after every|after each|before any|for any|our convention|our rule|our policy|the convention|the rule is|\
         project wide|repo wide|house rule|house style|unless i|unless we|ever again|don't ever|do not ever|the standard is|our standard|every single",
    ),
    wide: phrases!(
        "all|every|each|any|only|no|none|exclusively|solely|unless|without|until|exactly one"
    ),
    must: phrases!(
        "must|should|shall|has to|have to|needs to|need to|ought to|may only|may never|is required|are required|is mandatory|\
         are mandatory|is supposed to|are supposed to|can only|is expected to|are expected to|requires|require|needs|need",
    ),
    forbid: phrases!(
        "must not|mustn't|must never|should not|shouldn't|should never|shall not|may not|may never|never|do not|don't|dont|cannot|\
         is not allowed|are not allowed|isn't allowed|aren't allowed|not allowed|is forbidden|are forbidden|forbidden|is banned|are banned|\
         off limits|avoid|stop using|stop adding|stop writing|stop making|refrain from|no longer|under no circumstances|not to be|hands off|\
         stay away from|keep out of|prohibited|doesn't belong|does not belong|don't belong|do not belong",
    ),
    orders: phrases!(
        "use|keep|prefer|stick|write|name|call|put|place|store|treat|follow|respect|favor|favour|reuse|default|assume|avoid|ask|\
         do not|don't|dont|only|make sure|ensure|be|wrap|pin|sign|prefix|format|quote|log|document|leave|respond|answer|reply|speak|explain|\
         commit|squash|rebase|branch|tag|cite|mention|include|test|mock|import|export|return|throw|raise|validate|escape|sort|order|group|\
         bump|target|support|go through|talk|read|let|mark|annotate|spell|indent|end|start|stay|work|separate|split|serve|deploy|release|ship|\
         run|limit|cap|round|encode|expose|hide|require|restrict|isolate|inject|derive|model|represent|measure|count|whenever|stop|skip|have|say|tell|show",
    ),
    tasks: phrases!(
        "add|build|change|check|clean|commit|continue|create|delete|deploy|explain|find|fix|generate|implement|install|investigate|list|look|\
         make|merge|move|open|push|read|rebase|refactor|remove|rename|review|run|show|start|stop|test|try|update|write|go ahead|give|help|\
         revert|undo|restore|convert|port|migrate|extend|debug|analyze|analyse|research|compare|summarize|summarise|print|spawn|kill|set up|\
         handle|replace|see|do|take|get|put|finish|proceed|apply|set|pass|include|adjust|redo|drop|ensure|make sure|tell|cache|catch|bump|\
         tag|release|publish|draft|respond|mark|let me|come up|start with|figure|point|verify|confirm|inspect|identify|split|extract|reduce|prepare|sketch|swap|polish|tidy|organize|organise|describe|examine|focus|correct|shorten|resize|tweak|wire|hook up|scaffold|stub|switch|enable|disable|send|copy|save|turn",
    ),
    decided: phrases!(
        "decided|going to stick|going to stay|going to keep|going to drop|stick with|sticking with|staying with|stay with|standardised on|standardized on|we've decided|have decided|we decided|i decided|settled on|settled for|agreed on|agreed to|agreed that|we agreed|going with|\
         we went with|i went with|we go with|we go for|we'll go for|we chose|i chose|we have chosen|we've chosen|chose to|we picked|opted for|opted to|opting for|\
         we're switching to|we are switching to|we switched to|we switched from|we moved to|we moved from|we're moving to|we are moving to|\
         we're moving away|we migrated to|we're migrating to|we will use|we'll use|we'll go with|we will go with|we'll stick with|\
         we're sticking with|we are sticking with|we stick with|we standardised on|we standardized on|standardise on|standardize on|\
         the decision is|decision is to|final decision|we're dropping|we are dropping|we dropped support|we no longer|we're not going to|\
         we are not going to|we won't|we will not|we'll never|we committed to|we've settled|it's decided|that's why we|which is why we|\
         we're keeping|we are keeping|we'll keep|we will keep|we ruled out|we rejected|we abandoned|we deprecated|has been decided|was decided|\
         made the decision|made the call|the plan of record|the call is|our choice is|the verdict is|the winner is|we landed on|we ended up with|\
         we're standardizing on|we're standardising on|we have agreed|we have settled|we're going to use|we are going to use|we replaced|\
         i've decided|i have decided|we have moved|we have switched|we've moved|we've switched|we adopted|we have adopted|we've adopted|\
         we are adopting|we're adopting|we gave up on|we've dropped|we have dropped|we stay with|we stay on|we're staying on|we're staying with|we move from|we move to|we move off|we switch to|we switch from|we drop|we replace|voted for|voted to",
    ),
    settled: phrases!(
        "wins|replaces|replace|takes over|takes the place|will be|will use|will go|will stay|will live|will run|will get|will have|will stay|stays|stay|remains|remain|goes up to|goes down to|moves to|move to|\
         is off the table|are off the table|is out of the question|are out of the question|it is for|is what we|has no business|have no business|has no place|have no place",
    ),
    cures: phrases!(
        "fixes it|fixes that|fixes this|cures it|cures that|sorts it out|sorts that out|solves it|solves that|does the trick|gets around it|gets around that|gets through|goes through|and it works|and it goes|it works then|then it works|and it's gone|\
         and its gone|and it's fine|and its fine|and it runs|and it passes|and all is well|makes it work|works around it|gets rid of it|is the cure|is the fix|is the workaround|the fix is|the workaround is|the trick is|brings it back|clears it|makes it go away|takes care of it|helps",
    ),
    propose: phrases!(
        "let's use|let's go with|let's stick|let's keep|let's avoid|let's always|let's never|let's not|let's standardise|let's standardize|\
         let's store|let's drop|let's make|let's have|let's switch to|let's do|let's only|let's target|let's support|let's prefer|\
         let us use|let us keep|let us go with|let us avoid|lets use|lets go with|lets keep|lets stick|lets avoid|lets not|lets drop|lets store|lets switch to|lets only|lets rely|let's rely|lets make|lets have|we do|we use",
    ),
    prefer: phrases!(
        "i prefer|we prefer|i'd prefer|i would prefer|we'd prefer|i'd rather|i would rather|we'd rather|we would rather|i'd much rather|\
         i like a|i like an|i like my|i like our|i like it when|i like short|i like small|i don't like|i do not like|i hate|i dislike|i can't stand|\
         i want all|i want every|i want our|i want my|i always want|i never want|i don't want|i do not want|i want no|we don't want|\
         we do not want|we explicitly don't want|we don't need|we do not need|we have no need|we never want|we want to avoid|my preference|\
         our preference|i'd like all|i'd like every|i'd like our|i insist|i expect|i care about|i only want|we only want|we only need|\
         i'm a fan of|not a fan of|matters more|matters most|more important than|comes first|come first|has priority|have priority|takes precedence|take precedence|i favour|i favor|we favour|we favor|prefer|i strongly prefer|i actually prefer|we always want",
    ),
    consent: phrases!(
        "without asking|without my|without asking me|ask me before|ask me first|ask before|ask first|check with me|my approval|my permission|\
         my ok|my okay|my sign off|my go ahead|unless i say|unless i ask|unless i tell|until i say|without a review|without checking with me|\
         run it by me|without telling me|i approve|i have approved|let me know before|show me before|wait for my|without permission|confirm with me",
    ),
    remember: phrases!(
        "remember that|remember to|please remember|remember we|remember our|remember i|keep in mind|bear in mind|for future reference|for the future|don't forget|\
         do not forget|take note|make a note|note for the future|note for later|please note|be aware that|worth remembering|for the record|just so you know|careful|be careful|beware|watch out for|heads up",
    ),
    contrast: phrases!(
        "instead of|rather than|instead|over|as opposed to|not the other way|in favour of|in favor of|in place of|and not|but not|not via|not with|not in|not by|not the|not a|not from|not to|never",
    ),
    reason: phrases!(
        "because|since|so that|otherwise|due to|that way|or else|the reason|as it|as they|as we|so we|to avoid|to keep|in order to|to make sure|\
         to prevent|to be consistent|for easier|for better|so it|so the|given that|given|hence|therefore|this way|for consistency|thanks to|which lets|which keeps|which makes|to stay",
    ),
    belong: phrases!(
        "belong|belongs|live in|lives in|live under|lives under|live next to|lives next to|live on|lives on|goes in|go in|goes into|go into|goes under|go under|\
         goes through|go through|sits in|sit in|is the source of truth|are the source of truth|the single source of truth|the source of truth|is owned by|are owned by|\
         is read only|are read only|is frozen|are frozen|is generated|are generated|is off limits|are off limits|is written in|are written in|is the only|are the only|\
         sits next to|sit next to|sits beside|sit beside|happens in|happen in|happens through|happens via|comes from|come from|is done by|is done in|are done in|is done via|are named|is named|start with|end with|stays in|stay in|stays on|stay on",
    ),
    whenever: phrases!(
        "when you|when you're|when we|when i ask|once you're|when adding|when writing|when creating|when changing|when making|when touching|when committing|when naming|when designing|\
         when working|when refactoring|when updating|when fixing|when reviewing|when deploying|when releasing|when testing|\
         before you|before committing|before pushing|before merging|before opening|before releasing|before deploying|before a commit|before a release|before a pr|\
         after you|after changing|after editing|after adding|after a release|once you|as soon as|any change|every change|for new|for anything|before calling|before starting|before writing|before touching|while",
    ),
    passing: phrases!(
        "for now|this time|this run|today|tomorrow|right now|just now|yet|for the moment|this session|temporarily|for a moment|real quick|quickly|\
         this branch|this pr|this commit|this issue|this ticket|this task|this plan|this file|this test|this bug|this error|this change|this step|this one|that one|\
         that file|that test|that branch|that pr|those tests|these tests|those files|these files|the above|the following|the rest|these changes|those changes|\
         the last commit|last message|the current|at the moment|tonight|hold on|hang on|one sec|a sec|as discussed|as mentioned|mentioned|\
         earlier|previous|previously|the other one|the first one|the second one|the screenshot|you just|you did|you have|you've|you wrote|you said|\
         you made|you were|you added|you removed|i just|i've just|just fix|just do|in parallel|let me know|just tell|this round|this week|next week|this sprint|the moment|next step|these two|those two|both of them|as before|like before",
    ),
    hedge: phrases!(
        "maybe|perhaps|might|i wonder|wondering|not sure|unsure|probably|i guess|could we|could you|can we|can you|could be|i suppose|i doubt|\
         should we|shall we|do we|does it|i'm not certain|what if|how about|what about|possibly|if possible|if needed|if necessary|seems|seem|looks like|feels like|feel like|it might|ideally|tentatively|kind of|sort of|would be nice|would be good|nice to have|as lightweight as",
    ),
    status: phrases!(
        "fails|failing|failed|crashes|crashed|crash|broken|broke|error|errors|bug|bugs|buggy|wrong|doesn't work|does not work|didn't work|isn't working|not working|stuck|slow|\
         flaky|weird|i see|i saw|i noticed|i noticed|i'm seeing|i get|i got|i tried|it looks|looks good|works now|working now|is done|was done|\
         done|finished|merged|pushed|fixed|i removed|i added|i changed|i've|we've been|we had|we have a|still|already|went wrong|is missing|was missing|\
         used to|yesterday|so far|ready|is green|are green|is live|is running|works|happened|happening",
    ),
    asking: phrases!(
        "can you|could you|would you|will you|can we|could we|should we|shall we|what|why|how|where|when is|when does|when did|which|who|is there|are there|is it|is the|are the|\
         are we|are you|do you|do we|does|did|have you|has|any chance|any idea|tell me|show me|help me|explain|i want you to|i want to|i'd like to|\
         i would like to|i'd like you to|i need you to|i need to|we need to|i'm trying|let me|i'll|i will|i am going|i'm going|we have to|we're trying|you have to|you need to|now we need|then we need|we still need|we also need",
    ),
    pointing: phrases!(
        "it|it's|its|this|that|that's|these|those|they|he|she|they're|both|either|neither|the former|the latter|such|same|which|there|there's|here|here's|\
         the first|the second|the third|the other|one of|each of|none of|his|her|their|them|like|as such|similarly|likewise|otherwise|another|\
         what|who|where|why|how|the issue|the problem|the bug|the fix|the cause|the reason|the change|the changes|the result|the answer|the question|\
         the idea|the point|the solution|the plan|for example|e g|option|step|phase|part|number|you're|i'm|i was|i am|we were|we had|you are|he's|except|because|since|or|so that|and then",
    ),
    hanging: phrases!(
        "see below|as below|listed below|described below|as follows|like so|like that|like this|this way|that way around|see above|described above|listed above|do that|do this|do it|did that|did it|that case|this case|those|these|of them|of it|with it|about it|about this|about that|in that case|after that|before that|instead of that|than that|be that|be this|is that|is this|use it|use them|keep it|call it|leave it|make it|put it|move it|for it|that thing|this thing|as is"
    ),
    filler: phrases!(
        "q|no wait|oh wait|no no|ok|okay|looks good|looks great|well done|good job|so|hm|hmm|hmmm|well|yeah|yes|yep|yup|no|nope|oh|ah|alright|also|and|but|then|actually|basically|wait|please|pls|omfg|omg|wtf|lol|\
         dude|my dude|man|look|listen|hey|hi|hello|i think|i think that|i feel like|i guess|i believe|i mean|i suppose|in my opinion|imo|imho|just to be sure|remember|remember that|\
         please remember|please remember that|keep in mind|keep in mind that|bear in mind that|note that|please note|please note that|note|like|now|in theory|i know|thanks|thank you|sorry|right|sure|perfect|great|\
         exactly|agreed|correct|i agree|got it|understood|noted|you're right|good point|makes sense|absolutely|true|i'd say|fyi|btw|careful|by the way|\
         additionally|in addition|one more thing|one thing|another thing|two things|first|second|also please|and please|for the record|just so you know|quick note|heads up|important|\
         fucking hell|ugh|nah|just|nice|cool|good|fine|be aware that|for future reference|for the future|important note|a note|side note|reminder|rule|update|decision|ps|p s|anyway|oh and|and also|as a reminder|to be clear|to clarify|again|generally|in short|let me be clear|going back|speaking of|more importantly|most importantly|before i forget|don't forget|don't forget that|do not forget|do not forget that|don't forget to|remember to|in the end|all in all|after all|finally|next",
    ),
    clause: &[
        " because ",
        ", because ",
        " since ",
        ", since ",
        " so that ",
        ", so ",
        " so we ",
        " otherwise ",
        ", otherwise",
        " — ",
        " – ",
        " - ",
        "; ",
        ". ",
        ": ",
        ", as ",
        ", which ",
        ", but ",
        ", and ",
        ", ",
        " and ",
        " (",
    ],
};

pub(crate) static GERMAN: LanguageTables = LanguageTables {
    spaced: true,
    small: phrases!(
        "der|die|das|und|ist|nicht|wir|ich|für|mit|ein|eine|bitte|auf|zu|den|im|auch|kein|keine|von|statt|sind|immer|nie|niemals|wird|werden|sollen|soll|muss|müssen|haben|uns|dass|weil|nur|ab"
    ),
    scope: phrases!(
        "bei uns|immer|nie|niemals|ab jetzt|ab sofort|von nun an|künftig|in zukunft|zukünftig|jedes mal|jedesmal|überall|grundsätzlich|in diesem projekt|in diesem repo|im projekt|im ganzen projekt|standardmäßig|in der regel|generell|ausnahmslos|stets|nirgends|auf keinen fall|unter keinen umständen|in jedem|bei jedem|bei jeder|vor jedem|nach jedem|vor jeder|für jede|für jeden|für alle|in allen"
    ),
    wide: phrases!(
        "alle|allen|jede|jeder|jedes|jeden|nur|kein|keine|keinen|ausschließlich|nichts|niemand|ohne|bis|solange"
    ),
    must: phrases!(
        "muss|müssen|soll|sollen|sollte|sollten|hat zu|haben zu|ist zu|sind zu|darf nur|dürfen nur|ist pflicht|braucht|brauchen|benötigt"
    ),
    forbid: phrases!(
        "darf nicht|dürfen nicht|darf nie|dürfen nie|soll nicht|sollen nicht|sollte nicht|sollten nicht|nie|niemals|verboten|nicht erlaubt|kein|keine|keinen|vermeide|vermeiden|tabu|bitte nicht|nicht mehr|auf keinen fall|niemand|nicht verwenden|nicht benutzen|nicht ändern|nicht anfassen"
    ),
    orders: phrases!(
        "benutze|benutz|verwende|nutze|nutz|nimm|nehmt|schreib|schreibe|halte|halt|behalte|bevorzuge|vermeide|frag|frage|lege|leg|speichere|nenne|achte|denk|denke|lass|mach|mache|verwenden|benutzen|nutzen|antworte|committe|teste|starte|führe|bitte keine|stell sicher|stelle sicher|verwendet|nutzt|formatiere|dokumentiere|prüfe"
    ),
    tasks: phrases!(
        "füge|erstelle|lösche|entferne|repariere|behebe|fixe|baue|bau|ändere|zeig|zeige|prüfe|schau|schaue|mach|mache|starte|installiere|aktualisiere|implementiere|schreibe|schreib|benenne|verschiebe|öffne|führe|teste|erkläre|korrigiere|ergänze|gib|such|suche|finde"
    ),
    decided: phrases!(
        "entschieden|haben entschieden|haben uns entschieden|habe entschieden|habe mich entschieden|wir entschieden|haben beschlossen|wir beschlossen|beschlossen|haben uns auf|haben uns darauf geeinigt|geeinigt|wir nehmen|wir bleiben bei|wir setzen auf|wir verwenden|wir nutzen|wir benutzen|wir wechseln|wir steigen um|umgestiegen|entscheidung ist|wir verzichten|wir haben uns gegen|festgelegt|wir werden|wir ersetzen|fiel die wahl|wir verwerfen"
    ),
    settled: phrases!(
        "bleibt|bleiben|ersetzt|ersetzen|löst ab|kommt nicht in frage|kommen nicht in frage|fällt weg|fallen weg|ist vom tisch|sind vom tisch|wandert|wandern|wird künftig|werden künftig|hat nichts zu suchen|haben nichts zu suchen",
    ),
    cures: phrases!(
        "klappt es|klappt's|geht es|funktioniert es|dann geht|dann läuft|läuft es|hilft|behebt das|behebt es|löst das|und es geht|und es läuft",
    ),
    propose: phrases!("lass uns|lasst uns"),
    prefer: phrases!(
        "ich bevorzuge|wir bevorzugen|ich möchte keine|ich möchte keinen|ich will keine|ich will keinen|wir wollen keine|wir wollen keinen|wir brauchen keine|wir brauchen keinen|mir ist lieber|ist mir lieber|sind mir lieber|lieber|ich mag keine|ich mag kurze|ich mag es nicht|mir ist wichtig|ich möchte immer|ich hätte lieber|ich ziehe|wichtiger als|hat vorrang|haben vorrang|geht vor|gehen vor"
    ),
    consent: phrases!(
        "ohne zu fragen|ohne mich zu fragen|ohne rückfrage|ohne rücksprache|frag mich vorher|frag mich zuerst|frag vorher|frage vorher|frage mich|meine zustimmung|meine freigabe|ohne meine|erst fragen|vorher fragen|mit mir abstimmen"
    ),
    remember: phrases!(
        "merk dir|merke dir|denk daran|denke daran|denk dran|vergiss nicht|zur info|beachte|bitte beachten|bitte beachte|wichtig"
    ),
    contrast: phrases!("statt|anstatt|anstelle|nicht mehr|und nicht|sondern|lieber|anstelle von"),
    reason: phrases!("weil|da|damit|denn|sonst|wegen|deshalb|daher|um|aufgrund|ansonsten|somit"),
    belong: phrases!(
        "gehört|gehören|liegt in|liegen in|kommt in|kommen in|liegt unter|liegen unter|ist schreibgeschützt|ist eingefroren|liegt neben|liegen neben"
    ),
    whenever: phrases!(
        "wenn du|wenn wir|bevor du|bevor wir|sobald du|sobald|nachdem du|beim|vor dem|nach dem|vor einem"
    ),
    passing: phrases!(
        "vorerst|erstmal|erst mal|heute|morgen|gerade|jetzt erstmal|diesmal|dieses mal|im moment|momentan|vorübergehend|noch nicht|diese datei|dieser test|diesen test|dieser branch|diesen branch|diesem branch|diesen commit|diesen fehler|der letzte|die letzte|für diesen lauf|kurz|oben|folgende|vorhin|gestern|derselbe|dieselbe|dasselbe|nochmal"
    ),
    hedge: phrases!(
        "vielleicht|eventuell|könnte|könnten|evtl|wohl|womöglich|möglicherweise|bin nicht sicher|sollen wir|sollten wir|können wir|kannst du|könntest du|scheint|wäre schön|ich glaube"
    ),
    status: phrases!(
        "fehler|kaputt|schlägt fehl|geht nicht|funktioniert nicht|abgestürzt|stürzt|schlägt|fertig|erledigt|falsch|langsam|habe gerade|hab gerade|ich sehe|noch immer|immer noch|bereits|schon"
    ),
    asking: phrases!(
        "kannst du|könntest du|können wir|was|warum|wieso|wie|wo|welche|welcher|welches|wer|gibt es|ist das|hast du|zeig mir|erklär|ich möchte dass|ich will dass du|ich würde gerne"
    ),
    pointing: phrases!(
        "es|das|dies|diese|dieser|dieses|sie|er|dort|hier|da|beide|letzteres|ersteres|dann|deshalb|daher|darum|dadurch|weil|so"
    ),
    hanging: phrases!(
        "siehe oben|wie folgt|so wie das|das da|davon|darauf|dagegen|dafür|damals|diese hier"
    ),
    filler: phrases!(
        "ok|okay|also|und|aber|bitte|ja|nein|nee|gut|ach|hm|hmm|übrigens|ich denke|ich finde|ich meine|naja|genau|danke|so|dann|auch|merk dir|merke dir|merk dir bitte|denk daran|denk dran|zur info|wichtig|noch was|außerdem|eigentlich|hinweis|beachte|bitte beachte|dass|vergiss nicht|unterm strich|letztlich|am ende"
    ),
    clause: &[
        ", weil ",
        ", da ",
        ", damit ",
        ", denn ",
        ", sonst ",
        " — ",
        " – ",
        "; ",
        ". ",
        ": ",
        ", sondern ",
        ", ",
        " und ",
    ],
};

pub(crate) static SPANISH: LanguageTables = LanguageTables {
    spaced: true,
    small: phrases!(
        "el|la|los|las|de|que|y|en|un|una|para|con|por|no|se|es|del|al|siempre|nunca|hemos|usar|usa|nuestro|nuestra|sin|vamos|debe|deben|todos|todas|lo|su|más|porque"
    ),
    scope: phrases!(
        "siempre|nunca|jamás|a partir de ahora|de ahora en adelante|en adelante|desde ahora|en este proyecto|en este repositorio|en este repo|en todo el proyecto|cada vez|por defecto|en todas partes|en general|como regla|sin excepción|bajo ninguna circunstancia|en todos|en todas|en ningún caso|antes de cada|después de cada|en cada|para todos|para todas|para cada"
    ),
    wide: phrases!(
        "todos|todas|todo|toda|cada|solo|sólo|solamente|ningún|ninguna|nada|nadie|únicamente|cualquier|sin"
    ),
    must: phrases!(
        "debe|deben|debemos|debería|deberían|tiene que|tienen que|hay que|ha de|es obligatorio|tenemos que|necesita|necesitan|se debe|se deben"
    ),
    forbid: phrases!(
        "no debe|no deben|no debería|no se debe|no se deben|no uses|no uséis|no usar|no usen|no hagas|no añadas|no agregues|no toques|no modifiques|no escribas|no borres|no hay que|nunca|jamás|prohibido|prohibida|evita|evitar|evitemos|no se permite|no está permitido|no se puede|no queremos|no commitees|no subas|no instales|no pongas|no cambies|no metas|no crees|no mezcles|no despliegues|no ejecutes|ya no"
    ),
    orders: phrases!(
        "usa|usad|use|usen|usar|utiliza|utilice|mantén|mantener|escribe|guarda|pon|nombra|prefiere|evita|pregunta|pregúntame|no uses|no añadas|no agregues|no hagas|no toques|no modifiques|no borres|no escribas|no instales|no subas|no pongas|no cambies|asegúrate|respeta|sigue|responde|documenta|ejecuta|haz|trata|deja|prueba"
    ),
    tasks: phrases!(
        "añade|agrega|crea|borra|elimina|arregla|corrige|construye|cambia|muestra|muéstrame|revisa|mira|haz|ejecuta|instala|actualiza|implementa|escribe|renombra|mueve|abre|prueba|explica|comprueba|busca|genera|termina|sube"
    ),
    decided: phrases!(
        "hemos decidido|decidimos|he decidido|decidí|hemos acordado|acordamos|quedamos en|optamos por|hemos optado|elegimos|hemos elegido|vamos a usar|vamos con|nos quedamos con|usaremos|utilizamos|usamos|la decisión es|se decidió|se ha decidido|cambiamos a|hemos cambiado a|migramos a|nos pasamos a|seguimos con|descartamos|adoptamos|hemos adoptado|dejamos de"
    ),
    settled: phrases!(
        "será|serán|se queda|se quedan|sustituye|sustituyen|reemplaza|reemplazan|queda descartado|queda descartada|va a ser|van a ser|pasa a ser|pasan a ser",
    ),
    cures: phrases!(
        "lo arregla|lo soluciona|se arregla|se soluciona|así funciona|y funciona|lo resuelve|se resuelve|ya funciona",
    ),
    propose: phrases!("usemos|vamos a usar|mantengamos|evitemos|quedémonos"),
    prefer: phrases!(
        "prefiero|preferimos|preferiría|no quiero|no queremos|no necesitamos|quiero que siempre|me gusta más|no me gusta|no me gustan|me gustan|quiero que todos|quiero que todas|mi preferencia|más importante que|tiene prioridad|tienen prioridad"
    ),
    consent: phrases!(
        "sin preguntar|sin preguntarme|sin consultarme|sin mi|pregúntame antes|pregunta antes|consúltame|mi aprobación|mi permiso|sin avisar|sin avisarme|pregúntame primero"
    ),
    remember: phrases!(
        "recuerda que|recuerda|ten en cuenta|no olvides|para el futuro|que conste|apunta que"
    ),
    contrast: phrases!("en vez de|en lugar de|y no|sino|no con|en favor de|más que|antes que"),
    reason: phrases!(
        "porque|ya que|para que|si no|de lo contrario|debido a|pues|así|puesto que|dado que|para evitar|por eso"
    ),
    belong: phrases!(
        "va en|van en|vive en|viven en|pertenece a|pertenecen a|va junto a|van junto a|es de solo lectura|están en|se guardan en|se guarda en|va dentro|van dentro"
    ),
    whenever: phrases!("cuando|antes de|después de|cada vez que|al añadir|al crear|al escribir|si"),
    passing: phrases!(
        "por ahora|de momento|esta vez|hoy|mañana|ahora mismo|todavía|temporalmente|este archivo|esta rama|este commit|este error|esta prueba|este test|el último|la última|lo anterior|arriba|siguiente|aún no|ayer|de nuevo|otra vez"
    ),
    hedge: phrases!(
        "quizás|quizá|tal vez|podría|podríamos|puede que|no estoy seguro|puedes|podrías|podemos|deberíamos|parece|a lo mejor|creo que|no sé|igual es"
    ),
    status: phrases!(
        "falla|fallan|error|errores|roto|rota|no funciona|terminado|listo|hecho|lento|acabo de|veo que|ya está|sigue fallando|arreglado|se rompió|mal"
    ),
    asking: phrases!(
        "puedes|podrías|podemos|qué|por qué|cómo|dónde|cuál|quién|hay|es que|has|quiero que hagas|me gustaría que|explícame"
    ),
    pointing: phrases!(
        "esto|eso|esta|este|estos|estas|ese|esa|aquello|ello|lo|allí|aquí|ambos|así|entonces|porque"
    ),
    hanging: phrases!(
        "de esto|de eso|con esto|con eso|para esto|para eso|como esto|como eso|lo de arriba|lo mismo|hazlo|úsalo|déjalo"
    ),
    filler: phrases!(
        "ok|vale|bueno|y|pero|por favor|sí|oye|mira|además|también|entonces|creo que|pienso que|gracias|perfecto|recuerda que|recuerda|ten en cuenta que|por cierto|nota|importante|ah|bien|de acuerdo|no olvides que|que conste que|una cosa|al final|finalmente|en resumen"
    ),
    clause: &[
        " porque ",
        " ya que ",
        " para que ",
        ", para que ",
        " — ",
        "; ",
        ". ",
        ": ",
        ", sino ",
        ", ",
        " y ",
    ],
};

pub(crate) static FRENCH: LanguageTables = LanguageTables {
    spaced: true,
    small: phrases!(
        "le|la|les|de|des|et|est|un|une|pour|avec|dans|ne|pas|que|on|nous|je|il|du|au|aux|sur|toujours|jamais|avons|plutôt|notre|nos|doit|doivent|tous|toutes|sans|lieu|utilise|utiliser|ce|cette|à|en|ni|mes|moi|mon"
    ),
    scope: phrases!(
        "chez nous|quoi qu'il arrive|toujours|jamais|désormais|dorénavant|à partir de maintenant|à l'avenir|dans ce projet|dans ce dépôt|dans ce repo|dans tout le projet|à chaque fois|chaque fois|partout|par défaut|en général|en règle générale|sans exception|en aucun cas|dans tous|dans toutes|avant chaque|après chaque|à chaque|pour chaque|pour tous|pour toutes|systématiquement"
    ),
    wide: phrases!(
        "tous|toutes|tout|toute|chaque|seulement|uniquement|aucun|aucune|rien|personne|que|sans"
    ),
    must: phrases!(
        "doit|doivent|devons|devrait|devraient|il faut|faut|est obligatoire|sont obligatoires|devez|dois|a besoin|nécessite"
    ),
    forbid: phrases!(
        "ne doit pas|ne doivent pas|ne doit jamais|ne doivent jamais|ne devrait pas|il ne faut pas|ne faut pas|jamais|interdit|interdite|interdits|n'utilise pas|n'utilisez pas|ne pas|ne jamais|n'ajoute pas|n'ajoutez pas|n'ajoute jamais|n'ajoutez jamais|ne touche pas|ne modifie pas|ne modifiez pas|ne commite pas|ne pousse pas|ne pousse jamais|n'écris pas|évite|évitez|éviter|pas de|plus de|aucun|aucune|n'est pas autorisé|on n'utilise pas|n'installe pas|ne mets pas|ne supprime pas|ne change pas"
    ),
    orders: phrases!(
        "utilise|utilisez|utilisons|utiliser|garde|gardez|gardons|écris|écrivez|préfère|préférez|évite|évitez|demande|demandez|mets|mettez|nomme|range|n'utilise|n'ajoute|n'ajoutez|pas de|assure|assurez|respecte|suis|réponds|documente|traite|laisse|teste|lance|exécute|n'installe|n'écris|passe|pense|pensez|veille|veillez"
    ),
    tasks: phrases!(
        "ajoute|ajoutez|crée|créez|supprime|corrige|corrigez|répare|construis|change|montre|vérifie|regarde|fais|lance|installe|mets à jour|implémente|écris|renomme|déplace|ouvre|teste|explique|trouve|génère|termine|pousse"
    ),
    decided: phrases!(
        "avons décidé|on a décidé|j'ai décidé|nous avons choisi|on a choisi|avons opté|on a opté|on part sur|nous partons sur|on reste sur|nous restons sur|on utilise|nous utilisons|on va utiliser|nous allons utiliser|la décision est|il a été décidé|on s'est mis d'accord|nous sommes d'accord|on passe à|nous passons à|nous sommes passés|on est passés|on garde|nous gardons|on abandonne|nous abandonnons|on ne va pas|c'est décidé|convenu|on adopte|nous adoptons|retenu"
    ),
    settled: phrases!(
        "sera|seront|remplace|remplacent|reste|restent|restera|resteront|est exclu|est exclue|devient|deviennent",
    ),
    cures: phrases!(
        "ça marche|cela marche|règle le problème|corrige le problème|résout|ça passe|et c'est bon|ça suffit",
    ),
    propose: phrases!("utilisons|gardons|évitons|restons sur|partons sur"),
    prefer: phrases!(
        "je préfère|nous préférons|on préfère|je préférerais|je ne veux pas|nous ne voulons pas|on ne veut pas|on n'a pas besoin|nous n'avons pas besoin|je n'aime pas|j'aime mieux|j'aime les|je veux que tous|je veux que toutes|je veux toujours|je tiens à|plus important que|a la priorité|passe avant|passent avant"
    ),
    consent: phrases!(
        "sans demander|sans me demander|sans mon accord|sans mon|sans ma|demande-moi|demande moi avant|demandez-moi avant|me demander avant|mon accord|mon autorisation|sans prévenir|sans me prévenir|me consulter"
    ),
    remember: phrases!(
        "souviens toi|rappelle toi|n'oublie pas|garde en tête|gardez en tête|note que|notez que|pour info|retiens que|à retenir|sache que"
    ),
    contrast: phrases!(
        "au lieu de|au lieu d'|plutôt que|plutôt qu'|et non|et pas|mais pas|à la place|non pas"
    ),
    reason: phrases!(
        "parce que|parce qu'|car|afin|pour que|pour éviter|sinon|puisque|à cause|comme ça|ainsi|vu que|étant donné"
    ),
    belong: phrases!(
        "va dans|vont dans|vit dans|vivent dans|appartient|appartiennent|se trouve dans|se trouvent dans|se rangent|est en lecture seule|va à côté|vont à côté|restent dans|reste dans"
    ),
    whenever: phrases!(
        "quand tu|quand on|quand vous|lorsque|avant de|après avoir|dès que|si tu|pour tout|pour toute|à chaque"
    ),
    passing: phrases!(
        "pour l'instant|pour le moment|cette fois|aujourd'hui|demain|en ce moment|pas encore|temporairement|ce fichier|cette branche|ce commit|cette erreur|ce test|le dernier|la dernière|ci-dessus|ci dessus|suivant|suivante|tout de suite|hier|encore une fois|à nouveau"
    ),
    hedge: phrases!(
        "peut être|peut-être|pourrait|pourrions|on pourrait|pas sûr|peux tu|pourrais tu|pouvez vous|est ce que|devrait on|semble|il me semble|j'imagine"
    ),
    status: phrases!(
        "échoue|échouent|erreur|erreurs|cassé|cassée|ne marche pas|ne fonctionne pas|terminé|fini|fait|lent|je vois|je viens de|déjà|planté|plante|corrigé|bogue|bug"
    ),
    asking: phrases!(
        "peux tu|peux-tu|pourrais tu|pouvez vous|est ce que|qu'est ce|pourquoi|comment|où|quel|quelle|qui|y a|as tu|je veux que tu|je voudrais que tu|j'aimerais|explique|montre moi"
    ),
    pointing: phrases!(
        "ça|cela|ceci|c'est|ce|cette|ces|il|elle|ils|elles|celui|celle|ceux|là|ici|les deux|donc|alors|parce que|car"
    ),
    hanging: phrases!(
        "de ça|avec ça|pour ça|comme ça|fais ça|fais le|ce dernier|cette dernière|voir ci|la même chose|celui ci|celle ci"
    ),
    filler: phrases!(
        "ok|d'accord|bon|et|mais|donc|alors|s'il te plaît|s'il te plait|stp|svp|s'il vous plaît|oui|non|aussi|je pense que|je pense qu'|je crois que|merci|parfait|au fait|n'oublie pas que|n'oublie pas|garde en tête que|note que|rappelle toi que|souviens toi que|pour info|en fait|important|bref|rappel|retiens que|sache que|par contre|tout compte fait|finalement|au final"
    ),
    clause: &[
        " parce que ",
        " parce qu'",
        ", car ",
        " car ",
        " afin ",
        " pour que ",
        " — ",
        "; ",
        ". ",
        " : ",
        ", ",
        " et ",
    ],
};

pub(crate) static RUSSIAN: LanguageTables = LanguageTables {
    spaced: true,
    small: phrases!("и|в|не|на|что|с|для|мы|это|как|по|из|всегда|никогда|я|у|так|к|а|то"),
    scope: phrases!(
        "у нас|всегда|никогда|впредь|отныне|с этого момента|с этого дня|в дальнейшем|на будущее|в будущем|каждый раз|в этом проекте|в этом репозитории|в проекте|везде|повсюду|по умолчанию|как правило|ни в коем случае|без исключений|во всех|во всём|для всех|для каждого|для каждой|в каждом|в каждой|перед каждым|после каждого|нигде|при каждом|больше не"
    ),
    wide: phrases!(
        "все|всё|всех|каждый|каждая|каждое|любой|любая|любые|только|исключительно|никаких|ничего|никто|без|никакие"
    ),
    must: phrases!(
        "должен|должна|должно|должны|нужно|надо|необходимо|следует|обязательно|обязан|обязаны|требуется|требует|полагается"
    ),
    forbid: phrases!(
        "нельзя|не должен|не должна|не должно|не должны|не нужно|не надо|не следует|запрещено|запрещён|запрещена|никогда|не используй|не используйте|не использовать|не добавляй|не добавляйте|не трогай|не трогайте|не меняй|не меняйте|не пиши|не пишите|не коммить|не пуши|не пушь|не создавай|не удаляй|не делай|не ставь|не запускай|не клади|не смешивай|не хардкодь|избегай|избегайте|никаких|не допускается|ни в коем случае|больше не|недопустимо"
    ),
    orders: phrases!(
        "используй|используйте|использовать|пиши|пишите|храни|храните|называй|предпочитай|избегай|спрашивай|спроси|спрашивайте|держи|клади|следуй|соблюдай|отвечай|отвечайте|оставляй|делай|запускай|убедись|проверяй|документируй|применяй|пользуйся|бери"
    ),
    tasks: phrases!(
        "добавь|добавьте|создай|создайте|удали|удалите|исправь|исправьте|почини|собери|измени|поменяй|покажи|проверь|проверьте|посмотри|сделай|сделайте|запусти|запустите|установи|обнови|реализуй|напиши|напишите|переименуй|перенеси|открой|протестируй|объясни|найди|сгенерируй|закончи|запушь|закоммить|давай|продолжай|подготовь|разберись"
    ),
    decided: phrases!(
        "решили|мы решили|я решил|я решила|решено|договорились|остановились на|выбрали|мы выбрали|мы используем|используем|переходим на|перешли на|остаёмся на|остаемся на|останемся на|будем использовать|отказались от|отказываемся от|приняли решение|принято решение|решение такое|не будем|мы храним|мы пишем|мы деплоим"
    ),
    settled: phrases!(
        "будет|будут|остаётся|остается|остаются|заменяет|заменяют|отпадает|исключён|исключена|исключено",
    ),
    cures: phrases!(
        "помогает|решает|и всё работает|и все работает|тогда работает|заработает|и проходит|лечится",
    ),
    propose: phrases!(
        "давай использовать|давайте использовать|давай будем|давайте будем|давай оставим|давайте оставим|давай не будем|давайте не будем"
    ),
    prefer: phrases!(
        "предпочитаю|мы предпочитаем|предпочитаем|я хочу чтобы всегда|я не хочу|мы не хотим|нам не нужен|нам не нужна|нам не нужно|нам не нужны|мне не нравится|мне не нравятся|мне больше нравится|мне удобнее|мне нравятся|лучше использовать|я бы предпочёл|я бы предпочел|хочу чтобы все|важнее|в приоритете"
    ),
    consent: phrases!(
        "без моего|без моей|без спроса|не спросив|не спрашивая|спроси меня|спрашивай меня|сначала спроси|сначала спрашивай|сначала согласуй|согласуй со мной|моё разрешение|мое разрешение|без согласования|предварительно спроси|без разрешения"
    ),
    remember: phrases!(
        "запомни|запомните|имей в виду|имейте в виду|не забывай|не забудь|учти|учтите|на будущее|помни|обрати внимание"
    ),
    contrast: phrases!("вместо|а не|но не|нежели|взамен"),
    reason: phrases!("потому что|так как|чтобы|иначе|из за|поскольку|ибо|поэтому|ведь|ради"),
    belong: phrases!(
        "лежат в|лежит в|должны лежать|живут в|живёт в|хранятся в|хранится в|находятся в|находится в|место в|только для чтения|лежат рядом|лежит рядом|идут в|идёт в"
    ),
    whenever: phrases!(
        "когда|перед тем как|перед|после того как|если ты|если мы|при|прежде чем|как только"
    ),
    passing: phrases!(
        "пока|пока что|сейчас|сегодня|завтра|в этот раз|на этот раз|временно|ещё не|еще не|этот файл|этот тест|эта ветка|эту ветку|этой ветке|этот коммит|эту ошибку|этот баг|последний|последнюю|выше|ниже|следующий|следующее|вчера|снова|опять|ещё раз|еще раз"
    ),
    hedge: phrases!(
        "может|может быть|возможно|наверное|вероятно|не уверен|можешь|можем|мог бы|могли бы|кажется|похоже|стоит ли|а если|вдруг"
    ),
    status: phrases!(
        "ошибка|ошибки|ошибку|падает|упал|упала|упало|сломалось|сломан|не работает|не работают|готово|сделано|сделал|медленно|баг|вижу|уже|заработало|исправлено|исправил|глючит"
    ),
    asking: phrases!(
        "можешь|можете|мог бы|можем|что|почему|как|где|какой|какая|какие|кто|есть ли|зачем|сколько|хочу чтобы ты|мне нужно чтобы ты|объясни|покажи"
    ),
    pointing: phrases!(
        "это|этот|эта|эти|то|тот|та|те|оно|он|она|они|там|тут|здесь|оба|тогда|поэтому|потому что|такой"
    ),
    hanging: phrases!(
        "об этом|с этим|для этого|на этом|из этого|как это|так же|то же самое|вот так|его|её|их"
    ),
    filler: phrases!(
        "а также|ок|окей|ладно|хорошо|и|но|а|так|да|нет|пожалуйста|ну|кстати|ещё|еще|также|я думаю|думаю|мне кажется|спасибо|отлично|запомни|запомни что|имей в виду|имей в виду что|учти|учти что|не забывай|не забывай что|на будущее|важно|слушай|короче|вообще|и ещё|помни|помни что|в итоге|в общем"
    ),
    clause: &[
        ", потому что ",
        ", так как ",
        ", чтобы ",
        ", иначе ",
        ", поскольку ",
        " — ",
        "; ",
        ". ",
        ": ",
        ", а не ",
        ", ",
        " и ",
    ],
};

pub(crate) static CHINESE: LanguageTables = LanguageTables {
    spaced: false,
    small: phrases!("的|了|是|不|我|们|在|用|要|這|这|有"),
    scope: phrases!(
        "总是|總是|始终|始終|永远|永遠|一律|从现在开始|從現在開始|从现在起|從現在起|从今以后|今后|今後|以后|以後|往后|每次|任何时候|任何時候|本项目|这个项目|這個專案|本專案|在项目中|整个项目|所有地方|默认|預設|统一|統一|一直|务必|務必|绝不|絕不|绝对不|絕對不|千万|千萬|切勿|凡是|任何情况下|规定|約定|约定|都要|都必须|都不|都用|都放"
    ),
    wide: phrases!("所有|全部|每个|每個|任何|只能|只用|仅|僅|一切|凡|只"),
    must: phrases!(
        "必须|必須|一律|应该|應該|应当|應當|需要|得要|一定要|务必|務必|要求|要用|要放|要写|要寫|要先|要在|要有|要按|要跟"
    ),
    forbid: phrases!(
        "不要|不能|不得|不许|不許|不可|不可以|禁止|不准|不應|不应|不该|别用|別用|请勿|請勿|切勿|绝不|絕不|避免|不允许|不允許|不再|永远不|千万别|别再|不用"
    ),
    orders: phrases!(
        "使用|用|采用|採用|保持|遵循|遵守|不要|禁止|避免|别|別|请用|請用|请使用|請使用|记住|記住|优先|優先|统一|統一|先问|先問|所有|放在|请始终|请不要|請不要"
    ),
    tasks: phrases!(
        "帮我|幫我|请帮|請幫|修复|修復|添加|新增|删除|刪除|创建|創建|建立|修改|改一下|看一下|看看|检查|檢查|运行|運行|执行|執行|继续|繼續|实现|實現|更新|解释|解釋|生成|写一个|寫一個|测试一下|提交|推送|把"
    ),
    decided: phrases!(
        "我们决定|我們決定|决定用|決定用|决定采用|已经决定|已決定|决定了|我决定|我決定|决定改|决定不|最终决定|最終決定|我们选择|我們選擇|选定|選定|敲定|商定|说好|我们统一|我们改用|改用|我们采用|我們採用|我们用|我們用|我们使用|我們使用|定下来|确定用|一致同意|同意采用|不再使用|我们放弃|放弃使用"
    ),
    settled: phrases!("改成|改为|改為|换成|換成|保留|不考虑|不考慮|将使用|將使用|变成|變成",),
    cures: phrases!("就好了|就行了|就可以了|就能|可以解决|可以解決|即可|就不会|就不會",),
    propose: phrases!("我们就用|就用|我们还是用|咱们用|统一用"),
    prefer: phrases!(
        "没有必要|沒有必要|没必要|沒必要|不需要|我喜欢|我喜歡|我更喜欢|我更喜歡|我偏好|我倾向|我傾向|我希望所有|我希望你总是|我不希望|我不想要|我們不需要|我们不需要|不喜欢|不喜歡|我宁愿|我習慣|我习惯|我们不想|更希望|更重要|优先于|優先於"
    ),
    consent: phrases!(
        "没有我的|沒有我的|未经我|未經我|不经我|先问我|先問我|先跟我|先和我|经我同意|我同意之前|我的同意|我的许可|先征求|擅自|问过我|不问我"
    ),
    remember: phrases!("记住|記住|请记住|請記住|注意|记得|記得|别忘了|別忘了|备忘|牢记"),
    contrast: phrases!("而不是|而非|代替|取代|替代|不是|不要用|不用|改成"),
    reason: phrases!(
        "因为|因為|以便|否则|否則|由于|由於|这样|這樣|所以|以免|避免|防止|为了|為了|不然"
    ),
    belong: phrases!("都放在|位于|位於|存放在|属于|屬於|只读|唯讀"),
    whenever: phrases!(
        "的时候|的時候|时要|時要|之前|之后|之後|每当|每當|如果|一旦|凡是|时，|時，|前，|后，|後，"
    ),
    passing: phrases!(
        "暂时|暫時|先不|先别|先別|这次|這次|今天|明天|现在先|現在先|目前|先这样|先這樣|这个文件|這個檔案|这个分支|这个测试|这个错误|这个bug|刚才|剛才|上面|下面|以下|再试|再試|再来|昨天|一下|这里|這裡|上述|刚刚"
    ),
    hedge: phrases!(
        "也许|也許|可能|或许|或許|大概|是不是|能不能|可不可以|要不要|吗|嗎|好像|似乎|不确定|不確定|会不会"
    ),
    status: phrases!(
        "报错|報錯|失败|失敗|出错|出錯|坏了|壞了|不工作|完成了|好了|已经修|崩溃|崩潰|卡住|没反应|为什么|為什麼|我看到|发现"
    ),
    asking: phrases!(
        "什么|什麼|为什么|為什麼|怎么|怎麼|哪|谁|誰|能否|可以帮|请问|請問|是否|我想让你|我需要你"
    ),
    pointing: phrases!("这|這|那|它|他|她|此|该|該|其|这样|那么|所以|因为|因為"),
    hanging: phrases!(
        "还是需要这样|這樣即可|如上|如下|这样做|這樣做|那样|那樣|这么做|它们|這個|这个"
    ),
    filler: phrases!(
        "好的|好|嗯|对|對|请|請|那|另外|还有|還有|但是|而且|其实|其實|我觉得|我覺得|我认为|我認為|谢谢|謝謝|实际上|實際上|补充一点|補充一點|提醒一件事情|提醒一下|记住|記住|请记住|請記住|注意|顺便|順便"
    ),
    clause: &[
        "，因为",
        "，因為",
        "因为",
        "因為",
        "，以便",
        "，否则",
        "，否則",
        "；",
        "。",
        "：",
        "，",
        ", ",
    ],
};

pub(crate) static JAPANESE: LanguageTables = LanguageTables {
    spaced: false,
    small: phrases!("の|は|を|に|が|で|と|も|です|ます"),
    scope: phrases!(
        "常に|必ず|絶対に|絶対|いつも|今後|これから|これからは|以降|毎回|このプロジェクト|このリポジトリ|プロジェクト全体|デフォルト|原則|基本的に|例外なく|どこでも|すべて|全て|決して|二度と|ルールとして|方針|規約|統一"
    ),
    wide: phrases!("すべて|全て|全部|各|だけ|のみ|限り|どの|いかなる|一切"),
    must: phrases!(
        "べき|なければならない|なければなりません|必要があり|必要がある|しないといけない|ないといけません|すること|使うこと|書くこと|ようにして|ようにする|ようにしてください|必須|てください|て下さい|しましょう"
    ),
    forbid: phrases!(
        "しないで|ないでください|ないで下さい|使わない|禁止|してはいけ|てはいけない|てはいけません|ではいけ|不可|避けて|避ける|べきではない|べきでない|しないこと|ないこと|ダメ|だめ|やめて|入れないで|触らない|変更しない|追加しない|コミットしない|書かない|しないように|ないように|しません"
    ),
    orders: phrases!("使って|使用して|してください|すること|使うこと"),
    tasks: phrases!(
        "外して|消して|戻して|変えて|修正して|直して|追加して|作って|作成して|削除して|確認して|見て|教えて|実行して|続けて|実装して|更新して|調べて|説明して|お願いします|お願い"
    ),
    decided: phrases!(
        "に決めました|に決めた|ことにしました|ことにした|ことに決め|と決めました|決定しました|決まりました|決定した|を採用|採用しました|採用します|に統一|で統一|で行きます|でいきます|にします|に切り替え|に移行しました|に移行します|をやめました|合意しました|使うことに|使わないことに|方針です|に変更しました"
    ),
    settled: phrases!(
        "とします|のままに|に変更します|に替えます|を廃止|はやめます|に置き換え|に統一",
    ),
    cures: phrases!(
        "直ります|直る|動きます|解決します|通ります|うまくいきます|回避できます|動くように",
    ),
    propose: phrases!(
        "にしましょう|で行きましょう|でいきましょう|を使いましょう|使いましょう|やめましょう|統一しましょう"
    ),
    prefer: phrases!(
        "好みです|好きです|方が好き|ほうが好き|好む|望みます|方がいい|ほうがいい|方が良い|ほうが良い|欲しくない|ほしくない|必要ありません|必要ない|不要です|好きではない|好きじゃない|嫌いです|希望します|好まない|を優先|より重要"
    ),
    consent: phrases!(
        "許可なく|許可なしに|確認なしに|確認してから|聞かずに|聞いてから|私の許可|承認なしに|承認なしで|事前に確認|事前に相談|相談なしに|勝手に|私に聞いて|先に聞いて"
    ),
    remember: phrases!("覚えて|覚えておいて|忘れないで|注意して|念のため|留意|注意点|なお、"),
    contrast: phrases!("ではなく|じゃなく|の代わりに|かわりに|よりも|より|でなく"),
    reason: phrases!("ので|から|ため|なぜなら|理由|そうしないと|さもないと|ように"),
    belong: phrases!(
        "に置く|に置いて|に置き|に配置|にあります|読み取り専用|隣に|に入れる|に入れて|に保存"
    ),
    whenever: phrases!(
        "するとき|する時|するときは|する際|する前に|したら|する場合|たびに|する度に|場合は|ときは|前に|後に"
    ),
    passing: phrases!(
        "とりあえず|今回|今日|明日|今は|一旦|いったん|まだ|このファイル|このブランチ|このテスト|このエラー|このバグ|さっき|先ほど|上記|以下|もう一度|再度|昨日|ひとまず"
    ),
    hedge: phrases!(
        "かもしれ|たぶん|多分|おそらく|でしょうか|ですか|ますか|かな|だろうか|気がする|思いますが|できますか|してもらえ|くれますか|もらえますか"
    ),
    status: phrases!(
        "エラー|失敗|動かない|動きません|壊れ|落ちる|落ちた|終わった|完了しました|できました|バグ|遅い|直りました|止まって|おかしい"
    ),
    asking: phrases!("なぜ|何|どう|どこ|どの|誰|いつ|教えて|できますか|どれ"),
    pointing: phrases!("これ|それ|あれ|この|その|あの|ここ|そこ|こう|そう|彼"),
    hanging: phrases!(
        "今後のため|上のように|このように|そのように|これを|それを|これで|それで|これは|それは"
    ),
    filler: phrases!(
        "はい|ええ|うん|じゃあ|では|あと|また|それと|でも|ただ|えっと|ちなみに|なお|まず|OK|了解|わかりました|ありがとう|覚えておいて"
    ),
    clause: &["ので、", "から、", "ため、", "。", "、", "；", "：", ", "],
};

/// The languages that are told apart by their function words.
pub(crate) static SPACED: [&LanguageTables; 4] = [&ENGLISH, &GERMAN, &SPANISH, &FRENCH];

/// Answers that leave the choice to the agent.
pub(crate) const LEFT_OPEN: Phrases = phrases!(
    "you decide|up to you|your call|your choice|you choose|you pick|whatever you|whichever|either|either is fine|don't care|do not care|no preference|\
     dealer's choice|skip|not sure|i don't know|surprise me|as you like|as you wish|doesn't matter|does not matter|no answer|other|none|cancel|cancelled|later|\
     entscheide du|du entscheidest|egal|wie du willst|wie du meinst|tú decides|como quieras|da igual|lo que prefieras|à toi de voir|comme tu veux|peu importe|\
     как хочешь|на твоё усмотрение|на твое усмотрение|реши сам|сам реши|всё равно|все равно|chat about this|let me think|hold on|wait",
);

/// Answers that leave the choice to the agent, in languages without spaces.
pub(crate) const LEFT_OPEN_UNSPACED: Phrases = phrases!(
    "你决定|你決定|你来定|随便|隨便|都可以|都行|無所謂|无所谓|看着办|任せます|おまかせ|お任せ|どちらでも|どれでも|不知道|不确定|わからない"
);

/// Words of agreement that open an answer.
pub(crate) const YES: Phrases = phrases!(
    "yes|yep|yeah|yup|sure|ok|okay|agreed|correct|exactly|right|absolutely|definitely|sounds good|fine|good|great|perfect|please do|do it|go ahead|go for it|\
     yes please|of course|that works|works for me|i agree|makes sense|ja|jawohl|genau|gerne|passt|einverstanden|natürlich|klar|sí|si|claro|vale|de acuerdo|exacto|por supuesto|\
     oui|d'accord|bien sûr|parfait|tout à fait|да|ага|конечно|хорошо|верно|согласен|согласна|давай|именно|ок|可以|好|好的|是|是的|对|對|行|没问题|沒問題|同意|嗯|はい|ええ|うん|そうです|お願いします|いいです|いいですね|それで|オーケー",
);

/// Words of refusal that open an answer.
pub(crate) const NO: Phrases = phrases!(
    "no|nope|nah|never|nein|non|нет|не надо|不|不要|不用|不行|不可以|不是|いいえ|いや|いらない|だめ"
);

/// Questions about how to proceed, not about the work.
pub(crate) const PROCESS: Phrases = phrases!(
    "proceed|continue|how would you like|this session|ready to|ready for|next step|next|execution|go ahead|\
     review first|which first|start with|start now|commit|push|merge|pull request|pr|open a pr|right now|looks good|look right|look good|look ok|move on|finish|begin|approve|\
     is this|does this|does that|is that|are these|sound good|make sense|any questions|anything else|what would you like|what do you want|rebase|stash|\
     branch|worktree|subagent|agents|which task|which issue|what should we do|should we do|now|today|first|retry|try again|permission|allowed|\
     weiter|weitermachen|fortfahren|commiten|nächster schritt|continuar|procedo|sigo|hago|empiezo|je continue|продолжить|продолжаем|начать|закоммитить",
);

/// The agent asks for permission or for an order; with options it may still ask how things should be.
pub(crate) const ASKS_LEAVE: Phrases = phrases!(
    "should i|shall i|want me|do you want me|would you like me|would you like to|what should i|tell me|let me know|help with|which of these|which one|soll ich|dois je|veux tu que je|quieres que|мне"
);

/// Questions about how to proceed, in languages without spaces.
pub(crate) const PROCESS_UNSPACED: Phrases = phrases!(
    "继续|繼續|提交|推送|开始|開始|我来|我來|下一步|现在|現在|需要我|要我|続け|コミット|プッシュ|進め|始め|しましょうか|次に"
);

/// Words with which a person retracts the preceding message.
pub(crate) const RETRACTIONS: Phrases = phrases!(
    "wrong chat|wrong window|wrong session|ignore that|ignore my last|ignore last message|ignore the last message|never mind|nevermind|scratch that|forget that|forget it|\
     forget what i said|disregard|undo that|you can undo|revert that|i was wrong|my mistake|i take that back|on second thought|actually no|vergiss das|vergiss es|falscher chat|ignorier das|olvídalo|olvida eso|\
     ignora eso|oublie ça|laisse tomber|забудь|не то окно|ignore this",
);

pub(crate) const RETRACTIONS_UNSPACED: Phrases =
    phrases!("当我没说|當我沒說|忽略|算了|发错|發錯|忘掉|間違え|忘れて|無視して|なしで");
