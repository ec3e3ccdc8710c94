//! What people say: the tables of phrases that more than one rule looks for. Data only; how they are
//! found is in [`crate::phrases`].

use crate::phrases::{Phrases, phrases};

/// What is said of every time, not of this time.
pub(crate) const STANDING: Phrases = phrases!(
    "always|never|from now on|every time|each time|whenever|in future|in the future|\
     going forward|as a rule|at all times|must|must not|mustn't|should never|\
     should always|do not ever|don't ever|stop using|stop asking|stop adding|\
     stop doing|please stop|keep in mind|remember that|invariant|our policy|\
     our convention|the convention|the rule is|by convention|avoid|\
     under no circumstances|only ever|not allowed|is forbidden|forbidden",
);

/// Openings of a rule that is meant to hold from now on.
pub(crate) const RULE_OPENINGS: Phrases = phrases!(
    "always|never|don't ever|do not ever|from now on|every time|each time|whenever|\
     in future|in the future|going forward|as a rule|please always|please never|\
     we always|we never|you must|you should always|you should never|\
     make sure to always|make sure you always|don't use|do not use|stop using|\
     stop adding|stop asking|please stop|under no circumstances",
);

/// Forms of such a rule in the middle of a sentence.
pub(crate) const RULES: Phrases = phrases!(
    "must never|must always|should always|should never|from now on|going forward|\
     never ever|at all times|in future sessions|in all future",
);

/// Signs that a rule holds for this moment only.
pub(crate) const UNTIL: Phrases =
    phrases!("yet|this time|for now|until|just now|right now|today|in this pr|for this");

/// What a person likes and wants of the one who works for them.
pub(crate) const PREFERENCE: Phrases = phrases!(
    "i prefer|i'd prefer|i would prefer|we prefer|i'd rather|i would rather|\
     i'd much rather|i like|i don't like|i do not like|i dislike|i hate|please don't|\
     please do not|don't ask|do not ask|i don't want|i do not want|i expect you to|\
     i will ask you to|i'll ask you to|my preference|actually prefer|prefer the|\
     i always|i never|i want you to always|instead of asking|just do it",
);

/// What is said when one way is taken and another is not.
pub(crate) const CHOICE: Phrases = phrases!(
    "instead of|rather than|let's use|lets use|let's go with|let's keep|let's stick|\
     go with|we should|we shouldn't|should be|should not be|shouldn't be|should not|\
     shouldn't|should align|should return|should have|should use|should stay|\
     should rather|should go|should live|should be able|should only|should call|\
     needs to be|need to be|has to be|have to be|explicit|we want|don't want|\
     do not want|don't need|do not need|don't think we need|don't think we should|no desire|the pattern is|the pattern was|the convention was|i thought we|i thought the|we no longer|no longer need|no longer needed|\
     no need for|no need to|no reason to|better to|makes more sense|is a better|\
     would be better|would be a better|for now|in that case|i would only|we could|\
     the idea is|the goal is|must stay|must be|separable|need to stay|only for|\
     is not the appropriate|is the right|is a good option|good option|\
     are meant to|is meant to|meant to be|meant for|supposed to be|doesn't work since|doesn't work because|needs to go|we do|we use|we are using|\
     we'll use|stick with|switch to|not worth|why aren't we|why don't we|why do we need",
);

/// Two ways set against each other.
pub(crate) const CONTRAST: Phrases = phrases!(
    "instead of|instead|rather than|rather|no longer|not|don't|without|no|doesn't|\
     isn't|shouldn't|never|only|unless|but not|same",
);

/// Why.
pub(crate) const REASON: Phrases = phrases!(
    "because|since|so that|so we|so it|so the|that's why|that is why|which is why|\
     which means|this will|otherwise|in order to|due to|given|to avoid|the reason|\
     or else|as it|it leaves us|this aligns|meaning|required by|requires|therefore|\
     hence",
);

/// A proposal in the form of a question.
pub(crate) const PROPOSAL: Phrases = phrases!(
    "should we|shouldn't we|could we|can we|why don't we|why aren't we|why not|\
     wouldn't it be|what if we|i wonder if|wondering if|would it be better|maybe we|\
     should it|shouldn't it|shouldn't",
);

/// Openings of a question that only asks.
pub(crate) const QUESTION: Phrases = phrases!(
    "what|what's|whats|how|how's|why|can you|could you|would you|will you|is there|\
     are there|do we|does|did|is it|is this|is that|are we|are you|have you|do you|\
     any idea|have we|can i|can it",
);

/// Openings that ask when a question mark ends the sentence.
pub(crate) const QUESTION_IF_MARKED: Phrases =
    phrases!("when|where|who|which|is|are|was|were|has|will");

/// Verbs that open an order for this turn.
pub(crate) const TASK: Phrases = phrases!(
    "add|address|amend|analyse|analyze|apply|ask|audit|bring|build|bump|change|check|\
     cherry|clean|close|commit|compare|complete|continue|convert|copy|create|cut|debug|\
     delete|deploy|describe|do some|do the|document|double|download|draft|drop|edit|\
     ensure|evaluate|examine|execute|explain|explore|extract|fetch|find|finish|fix|\
     format|generate|get|give|go ahead|go|have a look|help|implement|improve|include|\
     install|integrate|investigate|kill|let me|list|load|look|make|merge|migrate|\
     modify|move|open|order|perform|plan|post|proceed|publish|pull|push|put|read|\
     rebase|redo|refactor|regenerate|release|remove|rename|reply|report|research|\
     respond|restore|resume|retry|return|revert|review|rewrite|run|save|scan|search|\
     see|send|set|show|simplify|sort|spawn|split|start|stop|summarise|summarize|switch|\
     sync|take|tell|test|think|track|triage|try|undo|unblock|uninstall|update|upgrade|\
     upload|validate|verify|wait|watch|write|let's add|let's fix|let's get|let's start|\
     let's review|let's examine|let's do|let's modify|let's research|let's give|\
     let's bump|let's proceed|we need to fix|we need to add|we need to update|\
     we need to adjust|we need a|now we need|i'd like to add|can you|could you|please|\
     let me|then update|mention|brainstorm|keep|use",
);

/// Words of a tweak that concerns one value.
pub(crate) const TWEAK: Phrases = phrases!(
    "brighter|darker|wider|narrower|bigger|smaller|px|pixels|colour|color|colors|\
     colours|bold|font size|padding|margin|dimmer|intense|columns wide|too dim|\
     background",
);

/// Words of what is true only today.
pub(crate) const PASSING: Phrases = phrases!(
    "this pr|this branch|this commit|last commit|the pr|this session|right now|\
     still running|workers|worker|today|yesterday|tomorrow|this issue|in parallel|\
     next steps|this time|this turn|your changes|my changes|finished|rebase on|\
     wrong chat|after this|before you|this file|this task|when you're done|\
     we should have a look|we should look|we should check|we should discuss|we should review|\
     we should test|we should start|we should wait|we should spawn|linear issue|good to go|new release|ready to|next release|at the moment it",
);

/// What takes back the message before.
pub(crate) const RETRACTION: Phrases = phrases!(
    "ignore last message|ignore my last|ignore that|ignore the last|\
     ignore the previous|ignore my previous|wrong chat|wrong window|wrong session|\
     never mind|nevermind|scratch that|forget that|forget it|forget what i said|\
     undo that|revert that|i was wrong|i take that back|disregard",
);

/// What says that the last answer or change was not right.
pub(crate) const REJECTION: Phrases = phrases!(
    "no|nope|wrong|that's not|that is not|thats not|still not|still broken|\
     still the same|still looks|doesn't work|does not work|didn't work|not working|\
     not it|undid|try again|you broke|not what i|incorrect|are you sure|i don't think|\
     wait|revert|wtf|hell|nothing changed|same error|same problem",
);

/// What says that the last answer or change was right.
pub(crate) const APPROVAL: Phrases = phrases!(
    "yes|yep|yeah|ok|okay|sure|great|perfect|exactly|correct|looks good|sounds good|\
     that's it|works|it works|nice|agreed|good|thanks|thank you|go ahead|do it|lgtm|\
     makes sense|awesome|cool|alright|fine|please do",
);

/// How an agent opens when it takes up what the person said.
pub(crate) const UPTAKE: Phrases = phrases!(
    "you're right|you are right|you're absolutely right|you are absolutely right|\
     absolutely right|oh you're|ah you're|good point|great point|fair point|good catch|\
     great catch|nice catch|exactly|exactly right|agreed|i agree|correct|\
     that makes sense|makes sense|good idea|great idea|good call|great call|fair|\
     that is a fair|that's a fair|ah yes|ah right|yes|yep|got it|understood|perfect|\
     noted|absolutely|right|true|confirmed|important correction|your instinct|\
     you're not wrong|good correction|ha yes|new constraint|that's right|\
     that's correct|that is right|that's a better|important clarification|\
     good clarification|good question|great question",
);

/// Words of someone who is not sure.
pub(crate) const HEDGE: Phrases = phrases!(
    "might|maybe|perhaps|probably|likely|possibly|could be|may be|seems|appears|\
     i suspect|not sure|presumably|i think|i guess|i believe|should work",
);

/// How an agent says within its first sentences that the person is right.
pub(crate) const AGREEMENT: Phrases = phrases!(
    "you're right|you are right|you're absolutely right|you are absolutely right|\
     is the right one|is right|right call|i agree|agreed|your model is right|\
     that is a fair|good point|makes sense|you're correct",
);

/// How a person complains of the way the agent works.
pub(crate) const COMPLAINT: Phrases = phrases!(
    "i've noticed you|i noticed you|you keep|you always|why do you|why did you|\
     you being|you're being|you never|stop|you should have|you shouldn't have|\
     you forgot|you didn't|i told you|as i said",
);
