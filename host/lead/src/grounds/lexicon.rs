//! Word lists of the grounds, in the languages in which people write to agents. Data only; blanks separate words, `|`
//! separates phrases.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The most frequent function words of a language, for recognising it.
pub(super) const LANGUAGES: &[(&str, &str)] = &[
    (
        "en",
        "the a an and or of to in on for with is are be was were it its this that these those we you i our your my \
         me us they them he she his her their not do does did done don doesn didn isn aren won can could would will shall should may might must have has had been \
         at by from as if then than so but no yes just also too very there here when where which who whose what why how \
         all any each every some into over about after before while only more most other such per via let lets get got \
         please now up out off own both same because again further once always never use uses used using",
    ),
    (
        "de",
        "der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen ist sind war waren wird \
         werden wir ihr sie er es ich du mir mich uns euch mein dein unser im in am an auf aus bei mit nach von vom vor zu zum zur \
         für über unter durch gegen ohne um wenn dann dass weil als auch nur noch schon so wie was wer wo warum man hier da \
         jetzt bitte mal doch ja nein soll sollen sollte muss müssen kann können haben hat hatte sein alle alles jede jeder jeden \
         jedes immer nie beim ins statt bis dabei dafür damit sich niemals verwende nutze keinen",
    ),
    (
        "fr",
        "le la les l un une des du de d et ou mais pas ne n est sont était être a ont avoir on nous vous il elle ils elles je tu \
         me te se ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs que qui quoi où quand comme si \
         dans sur sous pour par avec sans en au aux plus moins très aussi tout tous toute toutes chaque y c j qu s doit doivent \
         faut toujours jamais ici là dès avant après utilise utiliser",
    ),
    (
        "es",
        "el la los las un una unos unas de del al y o pero no es son era ser está están estar ha han haber que quien qué cuando \
         como si en con sin por para sobre entre hasta desde se me te nos lo le les su sus mi mis tu tus nuestro nuestra nuestros \
         este esta estos estas ese esa eso esto yo él ella ellos muy más menos también todo todos toda todas cada ya hay debe \
         deben siempre nunca aquí antes después usa usar usamos",
    ),
    (
        "pt",
        "o a os as um uma uns umas de do da dos das no na nos nas ao aos e ou mas não é são era ser está estão que quem quando \
         como se em com sem por para pelo pela sobre entre até desde me te nós lhe seu sua seus suas meu minha nosso nossa este \
         esta isso isto eu ele ela eles muito mais menos também todo todos toda todas cada já há deve devem sempre nunca aqui \
         antes depois você",
    ),
    (
        "it",
        "il lo la i gli le un uno una di del della dei delle dello degli da dal dalla al alla ai alle e o ma non è sono era \
         essere ha hanno che chi quando come se in nel nella nei nelle con senza per su sul sulla tra fra mi ti ci vi si suo \
         sua mio mia nostro nostra questo questa questi queste quello io lui lei loro molto più meno anche tutto tutti tutte \
         ogni già deve devono sempre mai qui prima dopo",
    ),
    (
        "nl",
        "de het een en of maar niet geen is zijn was waren wordt worden we wij jij je u ik mij ons hun haar zijn in op aan bij \
         met naar van voor uit over onder door tegen zonder om als dan dat omdat ook alleen nog al zo hoe wat wie waar waarom \
         hier nu alle alles elke altijd nooit moet moeten kan kunnen heeft hebben te er deze dit die",
    ),
    (
        "ru",
        "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только её ее мне было вот от меня ещё \
         еще нет о из ему когда даже ну ли если уже или ни быть был него до вас вам для мы их чем была сам без будто чего при \
         это этот эта эти того потом себя можно там тут где есть надо нужно нам всегда никогда каждый каждая перед после наш \
         наши нас через",
    ),
    (
        "pl",
        "i w we nie że to na z ze się do jest są był była co jak ale czy tak o po za od dla przez przed przy bez już tylko \
         jeśli gdy lub oraz ten ta te tego tej tym my wy on ona oni go jej ich nas was mi mnie zawsze nigdy każdy każda musi",
    ),
    (
        "tr",
        "ve bir bu şu o da de için ile ama veya değil mi mı mu ne nasıl her hep asla hiç çok daha en gibi kadar sonra önce biz \
         siz ben sen onlar olarak olan var yok lütfen",
    ),
    (
        "uk",
        "і й та в у не що він на я з із як а то все вона так його але ти до же ви за по тільки її мені було від мене ще ні \
         є коли навіть ну чи якщо вже або бути був для ми їх без при це цей ця ці того потім себе можна там тут де треба \
         потрібно нам завжди ніколи кожен перед після наш наші нас через",
    ),
    (
        "sv",
        "och att det är som på av för med inte ett jag vi ni du han hon den till om så men från ska skall alla aldrig alltid \
         när här där nu också bara eller före efter utan innan varje står borde",
    ),
    (
        "cs",
        "a v na se že je to s z do o k i ale jako za by tak po jsou byl při pro od nebo jen už když před každým každý vždy \
         nikdy není jsme být také",
    ),
    (
        "id",
        "yang dan di untuk dengan dari ini itu tidak pada adalah ke jangan selalu harus sebelum sesudah setelah ya akan juga \
         atau saya kita kami semua setiap kalau jika oleh",
    ),
    (
        "fi",
        "ja ei se että mutta kun niin kuin aina ennen jälkeen kaikki joka tämä ovat ole pitää vain myös ilman koskaan älä",
    ),
    (
        "ro",
        "și să nu este sunt cu pe din pentru care mai dar la în un o întotdeauna niciodată trebuie fiecare înainte după fără",
    ),
    (
        "hu",
        "a az és nem hogy egy van is ez de meg csak mindig soha minden előtt után kell nélkül vagy",
    ),
];

/// Languages in which only the person's own words count: too few of their markers are known.
pub(super) const UNLISTED: [&str; 7] = ["uk", "sv", "cs", "id", "fi", "ro", "hu"];

/// Words for modality or somebody's wish, without content of their own.
const NEUTRAL: &str = "always never must should shall ought need needs needed require requires required requirement prefer \
    prefers preferred preferably preference preferences use uses used using usage only ensure ensures make makes making sure \
    please avoid avoids avoided instead rather want wants wanted wish wishes like likes ask asks asked request requests \
    requested persona persons personne personnes pessoa personen persoon человек человека human decide decides decided decision decisions convention conventions rule rules policy policies guideline \
    guidelines procedure learning user users person developer team project projects repository repo codebase session \
    sessions future going forward default defaults agent agents assistant keep keeps kept allowed allow allows forbidden \
    forbid prohibited mandatory explicitly consistently strictly generally whenever unless without never within across not \
    agreed agree agrees chosen choose chooses chose choice option options standing stands remember remembers note noted \
    nothing halten hält etwa circa ungefähr nichts nada nadie rien niente ничего выполнять выполняй выполняется выполняются mantener garder tenere держать держим ora poi dorénavant отныне впредь odtąd bundan böyle delante recuerda recordad lembra lembre ricorda retiens rappelle onthoud запомни помни zapamiętaj aimerais autant gustaría gostaria vorrei gern gerne hätte would хотел хотела хотелось partir maintenant ahora agora adesso \
    expects expected expect says said states stated do does doing done follow follows apply applies applied \
    \
    immer nie niemals muss müssen soll sollen sollte bitte nutze nutzen nutzt nutzung verwende verwenden verwendet benutze \
    benutzen benutzt nur lieber bevorzugt bevorzuge bevorzugen stets grundsätzlich entscheidung entschieden konvention regel \
    regeln projekt nutzer benutzer künftig zukünftig ab sofort vermeiden statt stattdessen anstatt anstelle wollen will möchte \
    möchten gilt merk merke \
    siempre nunca jamás debe deben debemos usar usa usamos uso utiliza utilizar utilizamos prefiere prefiero preferimos \
    preferir solo sólo regla reglas decisión decidido decidimos convención proyecto usuario evitar quiere quiero favor vez lugar \
    toujours jamais doit doivent devons utilise utiliser utilisons utilisez préfère préférer seulement uniquement règle \
    règles décision décidé convention projet utilisateur éviter veut veux veuillez lieu désormais plutôt \
    sempre deve devem devono devemos usare usiamo usate preferisco preferisce prefere prefiro preferimos usamos regra regras \
    regola regole decisão decisione progetto projeto utente usuário evite evitare invece vez lugar só \
    altijd nooit moet moeten gebruik gebruiken gebruikt liever regel beslissing project gebruiker vermijd \
    всегда никогда должен должна должны должно нужно надо следует использовать используй используйте используем используется \
    предпочитает предпочитаю предпочитаем только правило правила решение решили проект пользователь избегать вместо \
    пожалуйста нельзя хочет хочу \
    zawsze nigdy musi muszą należy używać używaj używamy tylko reguła decyzja projekt użytkownik proszę zamiast \
    her zaman asla kullan kullanın kullanılmalı sadece kural karar proje \
    항상 절대 반드시 사용 사용해 사용하세요 사용한다 사용하지 해야 하세요 주세요 해주세요 말고 대신 규칙 결정 프로젝트 사용자 앞으로 꼭 모든 쓴다 쓰기 쓰자 씁니다 쓰는 한다 합니다 하기 된다 됩니다 한다는 해요 이제 이제부터";

/// Characters and phrases of Chinese and Japanese without content of their own.
pub(super) const NEUTRAL_UNSPACED: &str = "哎呀|诶|嘛|使わ|使う|使い|使っ|必须|必須|一定|总是|總是|始终|永远|永遠|不要|不能|不得|不可|不许|禁止|使用|应该|應該|需要|我们|我們|用户|项目|專案|以后|\
    今后|今後|以後|所有|每次|每个|决定|規則|规则|约定|偏好|一律|统一|请|請|都|的|了|是|在|和|与|或|要|别|用|把|被|就|也|而|不|这|那|你|我|常に|\
    必ず|全て|規約|方針|決定|禁|等|时|時|里|中|上|下|对|会|可以|能|应|需|得|所|为|以|到|从|有|无";

/// Negators that deny what follows, up to the end of the clause.
const NEGATORS: &str = "n ñ arrête arrêtez arrêter cesse cessez smettila smetti smettere basta chega перестань перестаньте хватит прекрати прекратите przestań przestańcie bırak nada nichts rien niente not never no none neither nor don dont doesn doesnt didn isn isnt aren won wont cannot cant can't \
    don't doesn't isn't aren't won't shouldn shouldn't mustn mustn't without avoid avoids avoiding stop forbid forbidden \
    forbids prohibited ban banned bans hate hates dislike disallow disallowed refuse refrain drop skip nicht nie niemals kein keine keinen keinem \
    keiner ohne vermeiden vermeide verboten hasse déteste ne pas jamais aucun aucune sans éviter évite interdit interdite plus no nunca \
    jamás ningún ninguna sin evitar evita prohibido não nao nunca jamas jamais nenhum nenhuma sem evite proibido non mai nessun nessuna \
    senza evitare evita vietato niet nooit geen zonder vermijd verboden не никогда ни нельзя ненавижу без избегать запрещено nie nigdy \
    bez żaden unikać değil asla hiç yok";

/// Negators of only the next thing.
pub(super) const INSTEAD_OF: &str = "instead of|rather than|other than|in place of|out of|statt|anstatt|anstelle von|au lieu de|au lieu du|\
    plutôt que|en lugar de|en vez de|em vez de|ao invés de|invece di|al posto di|in plaats van|вместо|zamiast|yerine|over";

/// Negators of scripts without blanks, and of Korean.
pub(super) const NEGATORS_UNSPACED: &str = "不|别|勿|禁|没|沒|避免|拒绝|ない|ません|避け|やめ|控え|せず|ずに|なくて|なしに|ダメ|だめ|なしで|지 마|지마|않|금지|말고|말 것|말아|말자|마세요|안 돼|안돼|안 되|안됩|면 안|없|못 |싫|하지 말|말도록";

/// Exceptions to what is denied.
const EXCEPTIONS: &str = "without unless until before except bevor ohne außer bis sin sans sauf avant antes sem senza prima \
    zonder voordat без кроме пока bez dopóki only require requires needs nur erst solo sólo seulement uniquement только";

/// Beginnings of a question, unless it begins with a request.
pub(super) const ASKING: &str = "do we|does|did|is it|is there|is that|is this|are we|are there|are you|should we|should i|shall we|shall i|can we|could we|\
    can i|could i|would we|would it|would you say|will it|must we|must i|have we|has|why|what|when do|when did|when should|which|who|whose|\
    how|where|isn't|aren't|don't we|do you|do i|may we|may i|wouldn't|shouldn't we|was|were|\
    sollen wir|sollten wir|soll ich|müssen wir|können wir|dürfen wir|haben wir|ist das|ist es|gibt es|warum|wieso|weshalb|was|wer|wie|wo|welche|welcher|welches|machen wir|nutzen wir|verwenden wir|\
    est-ce|pourquoi|comment|faut-il|devons-nous|doit-on|peut-on|quel|quelle|qui|où|utilise-t-on|\
    por qué|qué|cómo|cuál|quién|dónde|debemos|deberíamos|podemos|usamos|por que|como|qual|quem|onde|devemos|podemos|\
    perché|cosa|quale|chi|dove|dobbiamo|possiamo|waarom|hoe|welke|moeten we|zullen we|\
    почему|зачем|как|какой|какая|кто|где|нужно ли|надо ли|стоит ли|должны ли|мы ли|czy|dlaczego|neden|nasıl|чи|чому|навіщо|ska vi|borde vi|varför|hur|proč|máme|apakah|kenapa|هل|لماذا|क्या|क्यों|có nên|tại sao|o que quer dizer|o que é|que quer dizer|qu'est-ce|quoi";

/// Requests in the form of a question.
pub(super) const REQUESTING: &str = "can you|could you|would you|will you|please|kannst du|könntest du|könnten sie|können sie|würdest du|bitte|peux-tu|pouvez-vous|\
    pourrais-tu|puedes|podrías|pode|poderia|você pode|puoi|potresti|kun je|можешь|можете|мог бы|能不能请|能否|请|請|麻烦|してもらえ|してくれ|してください|해줄래|해 줄래|해주세요";

/// Endings and marks of a question without blanks.
pub(super) const ASKING_UNSPACED: &str = "吗|呢？|嗎|是否|要不要|需不需要|能不能|是不是|为什么|什么|怎么|ですか|ますか|でしょうか|べきか|까요|나요|습니까";

/// Markers of a supposition.
pub(super) const SUPPOSING: &str = "if we had|if we weren't|würden wir|wir würden|wären wir|hätten wir|si on était|si on avait|si nous étions|si nous avions|si fuéramos|si tuviéramos|se fôssemos|se tivéssemos|se fossimo|se avessimo|если бы|gdybyśmy|要是我们|如果我们是|もし私たちが|もし我々が|만약 우리가|imagine|suppose|supposing|hypothetically|hypothetical|what if|pretend|let's say|lets say|say we|assume for|assuming we|\
    thought experiment|in theory|would be if|if we were|if i were|\
    stell dir vor|stellen wir uns vor|angenommen|hypothetisch|was wäre wenn|was wäre, wenn|gesetzt den fall|\
    imagine que|imaginons|supposons|supposez|admettons|hypothétiquement|et si on|\
    imagina|imaginemos|supongamos|supón|supon|hipotéticamente|y si us|qué pasaría|\
    suponha|suponhamos|digamos|immagina|immaginiamo|supponiamo|mettiamo che|\
    stel je voor|stel dat|представь|представьте|представим|предположим|допустим|гипотетически|а что если|\
    wyobraź sobie|załóżmy|przypuśćmy|diyelim|varsayalım|\
    假设|假如|想象|假定|设想|假設|想像して|想像する|仮に|가령|가정해|상상해";

/// Markers of a guess, which applies only to its clause.
pub(super) const HEDGING: &str = "might be worth|maybe we|perhaps we|maybe i|not sure|i wonder|we could maybe|vielleicht sollten|peut-être qu|quizás|quizá|tal vez|talvez|forse|misschien|может быть|belki|也许|或许|かもしれ|혹시|아마|any reason|wondering|not sure if|no idea if|don't know if|mich würde interessieren|ich frage mich|frage mich|weiß nicht, ob|weiß nicht ob|weiss nicht ob|keine ahnung ob|keine ahnung, ob|je me demande|je sais pas si|je ne sais pas si|no sé si|me pregunto|no estoy seguro|no estoy segura|será que|não sei se|me pergunto|pergunto-me|não tenho certeza|mi chiedo|non so se|ik vraag me af|weet niet of|интересно,|не знаю, стоит|не знаю, надо|не знаю, нужно|не уверен|zastanawiam się|nie wiem czy|nie wiem, czy|merak ediyorum|acaba|emin değilim|不知道该|不确定|しようか迷|迷って|모르겠";

/// Markers of somebody else's words.
pub(super) const REPORTING: &str = "says|said|saying|states that|states:|stated that|claims that|claims we|claims you|claims it|claimed|according to|tells me|tells us|tells you|told me|told us|suggests|suggested|recommends|recommended|wrote that|wrote:|\
    mentions|quoting|quote from|from the readme|from the docs|from the wiki|from the page|excerpt|it wants|they want|he wants|she wants|insists|argues|apparently|supposedly|allegedly|\
    i read that|i read somewhere|on lit :|on lit:|on peut lire|se puede leer|dá pra ler|можно прочитать|i heard|heard that|someone told|a colleague|my colleague|coworker|\
    sagt|sagte|sagen die|schreibt:|schreibt, dass|schrieb|behauptet|behaupten|da steht|dort steht|hier steht|steht:|steht, dass|steht drin|steht da|steht auf der|heißt es|hieß es|angeblich|laut|gemäß|meint|meinte|empfiehlt|empfahl|zitat|hab gelesen|habe gelesen|\
    dit que|dit qu'|dit de|dit :|dit:|dit «|disent|disait|a dit|m'a dit|ont dit|écrit que|selon|d'après|affirme|prétend|recommande|conseille|indique que|paraît que|apparemment|j'ai lu|\
    dice|dicen|dijo|dijeron|según|afirma|afirman|escribió|recomienda|recomiendan|sugiere|pone que|he leído|leí que|al parecer|diz|dizem|disse|disseram|segundo o|segundo a|segundo eles|escreveu|recomenda|sugere|li que|parece que|\
    dicono|ha detto|secondo il|secondo la|sostiene|consiglia|ho letto|zegt|zei|volgens|beweert|raadt|\
    говорит|говорят|сказал|сказала|сказали|пишет, что|пишет:|пишут|написал|написано|согласно|утверждает|утверждают|рекомендует|рекомендуют|советует|советуют|по словам|по мнению|якобы|читал, что|twierdzi|twierdził|mówi|mówił|mówiła|mówią|powiedział|powiedziała|napisał|napisała|piszą|pisze, że|radzi|zaleca|według|podobno|\
    пишуть|каже|кажуть|сказав|сказала|написав|радить|рекомендує|згідно|står det|säger att|sa att|skrev att|enligt|říká|říkají|píše|podle|katanya|kata dia|menurut|\
    diyor|diyorlar|dedi|demişti|söyledi|söylüyor|göre|yazıyor|yazan şu|yazmış|öneriyor|tavsiye ediyor|يقول|تقول|قال|قالت|حسب|وفقا|कहता है|कहते हैं|कहा कि|लिखा है|के अनुसार|nói rằng|nói là|bảo rằng|theo như|说：|说:|说“|说「|说是|写着|写道|写的是|根据文档|根据页面|根据教程|根据文章|根据网|声称|宣称|建议说|文档里说|文档里写|文档说|教程说|文章说|网页上说|网页上写|页面上说|页面上写|页面说|网上说|博客说|官网说|上说|里说|他说|她说|他们说|有人说|听说|据说|同事说|老板说|经理说|说要|说应该|\
    と言って|と言われ|と言った|って言って|によると|によれば|と書いて|と書かれ|って書いて|と主張|だそう|らしい|とのこと|曰く|とある|라고 하던|라고 하네|라고 합니다|라고 해서|라고 되어|라고 돼|라고 써|라고 적|라고 나와|라고 말|라던데|다던데|다는데|라는데|래요|따르면|적혀|쓰여";

/// Phrases that retract what was just said.
pub(super) const RETRACTING: &str = "i told you earlier|i told you before|i said earlier|i said before|no longer applies|changed my mind|forget the|forget about the|i withdraw|ich nehme zurück|hab mir überlegt|anders überlegt|vergiss die|vergiss den|j'ai changé d'avis|oublie la|oublie le|he cambiado de idea|cambié de idea|olvida la|olvida el|mudei de ideia|esquece a|esquece o|ho cambiato idea|dimentica|bedacht|vergeet|передумал|передумала|забудь про|zmieniłem zdanie|zapomnij|vazgeçtim|改主意了|之前说的|気が変わ|さっきの|마음이 바뀌|아까 말한|scratch that|never mind|nevermind|just kidding|forget i said|forget what i|forget that i|ignore what i|ignore my last|i take that back|on second thought|\
    no wait|wait no|actually no|strike that|that was a joke|only joking|vergiss das|vergiss, was|quatsch, nein|nein doch nicht|doch nicht|war nur spaß|war ein scherz|\
    oublie ça|oublie ce que|laisse tomber|je plaisante|en fait non|olvídalo|olvida eso|olvida lo que|era broma|mejor no|esquece isso|esquece o que|deixa pra lá|brincadeira|lascia perdere|scherzavo|\
    забудь об этом|забудь про это|забудь, что|шучу|нет, не надо|算了|开玩笑|当我没说|忘了吧|やっぱりなし|冗談です|今のは忘れて|방금 거 취소|농담이|아 아니다";

/// Phrases that say that something was not meant.
pub(super) const JOKING: &str = "kidding|joking|jk|j/k|as a joke|im scherz|nur spaß|scherz|scherzhaft|plaisante|plaisantais|je rigole|pour rire|c'est une blague|bromeando|de broma|es broma|es un chiste|brincando|brincadeira|zoando|zoeira|tô zoando|scherzo|scherzando|per scherzo|grapje|geintje|gekheid|шутка|шучу|прикалываюсь|żart|żartuję|żartowałem|şaka|şaka yapıyorum|şakaydı|жартую|skojar|skämtar|开玩笑|玩笑话|说笑|冗談|ジョーク|농담|장난이";

/// Phrases that say that something is meant, despite laughter.
pub(super) const SERIOUS: &str = "seriously|for real|no joke|not kidding|not joking|no kidding|im ernst|ernsthaft|kein scherz|kein witz|sérieusement|sans rire|sans blague|en serio|sin broma|a sério|sério|falando sério|sul serio|seriamente|serieus|zonder grappen|серьёзно|серьезно|без шуток|serio|poważnie|ciddi|ciddiyim|说真的|认真的|不开玩笑|真面目|マジで|冗談抜き|진지하게|진심으로|농담 아니";

/// Praise that means the opposite.
pub(super) const IRONY: &str = "qué puede salir mal|qué podría ir mal|qu'est-ce qui pourrait mal tourner|o que pode dar errado|cosa potrebbe andare storto|can't go wrong|kann ja nichts schiefgehen|sí claro, y|ja klar, und|mais oui, et|claro, e já|yeah right|as if|such a brilliant idea|such a great idea|what a great idea|what a brilliant idea|what could go wrong|what could possibly go wrong|na klar, weil|na toll|super idee|tolle idee|was kann da schon schiefgehen|quelle bonne idée|super idée|quelle brillante idée|qué gran idea|qué buena idea|brillante idea|qué podría salir mal|que ótima ideia|que ideia genial|o que poderia dar errado|che bella idea|ottima idea|che idea geniale|geweldig idee|wat kan er misgaan|гениальная идея|прекрасная идея|что может пойти не так|no jasne|świetny pomysł|genialny pomysł|harika fikir|真是个好主意|真是好主意|さすが名案|참 좋은 생각";

/// Words that make a sentence a rule.
pub(super) const RULING: &str = "always|never|don't|do not|dont|must|must not|should|shouldn't|every time|each time|every|whenever|from now on|prefer|i like|i'd like|i want|i hate|we want|instead of|instead|rather than|by default|in future|in the future|going forward|convention|rule|only|no longer|remember|make sure|unless|decided|we go with|stick to|stick with|no|not|stop|without asking|ask me|tell me|enough|limit|limited|we use|avoid|forbidden|policy|everywhere|keep|as soon as|at most|at least|max|when you|if a|if you|before you|after you|\
    immer|nie|niemals|nicht|kein|keine|keinen|muss|müssen|soll|sollen|ab jetzt|ab sofort|künftig|in zukunft|statt|stattdessen|nur|jede|jeder|jeden|jedes|regel|wir nehmen|wir nutzen|wir verwenden|wir bleiben|entschieden|grundsätzlich|lieber|verboten|gehört|gehören|ich mag|ich will|ich möchte|frag mich|überall|sobald|hör auf|lass|lasst|max|maximal|höchstens|reicht|genügt|braucht|brauchen|\
    toujours|jamais|pas|doit|doivent|il faut|désormais|dorénavant|chaque|plutôt|au lieu|règle|on utilise|on garde|décidé|sans|uniquement|seulement|préfère|interdit|arrête|préviens|suffit|j'aime pas|tjs|jms|faut|je veux|je préfère|dès que|quand tu|partout|à chaque|\
    siempre|nunca|no|debe|deben|hay que|cada|a partir de ahora|en adelante|regla|usamos|decidido|decidimos|nos quedamos|sin|solo|sólo|prefiero|quiero|en lugar|en vez|prohibido|avísame|basta|deja de|me gusta más|cuando|en todas partes|\
    sempre|não|nao|nunca|jamais|deve|devem|de agora em diante|a partir de agora|regra|usamos|decidimos|sem|apenas|só|prefiro|quero|proibido|em vez|ao invés|avisa-me|me avise|diz-me|pergunta|quando|ficam|vão em|\
    mai|non|devono|d'ora in poi|ogni|regola|usiamo|deciso|senza|solo|preferisco|voglio|vietato|al posto|invece|chiedimi|\
    altijd|nooit|niet|geen|moet|moeten|vanaf nu|elke|regel|we gebruiken|zonder|alleen|liever|verboden|besloten|\
    всегда|никогда|не|нельзя|должен|должна|должны|должно|нужно|надо|отныне|впредь|каждый|каждая|каждое|правило|хватит|перестань|называем|пишем|делаем|используем|решили|без|только|предпочитаю|хочу|вместо|запрещено|любые|любой|\
    zawsze|nigdy|nie|musi|muszą|od teraz|każdy|każda|każde|używamy|bez|tylko|wolę|zasada|zamiast|\
    her zaman|asla|mutlaka|bundan sonra|artık|yasak|hiçbir zaman|kural|sadece|yerine";

/// [`RULING`] in scripts without blanks.
pub(super) const RULING_UNSPACED: &str = "必须|必須|一定|总是|始终|永远|不要|不能|不得|不许|禁止|以后|今后|每次|每个|所有|统一|一律|约定|规则|决定|定了|就用|只能|只用|别|优先|应该|不用|够了|\
    必ず|常に|すべて|全て|ないで|しない|ません|なしで|なしに|今後|これから|ルール|毎回|にする|にします|べき|だけ|してください|ほうが好き|方が好き|やめて|してほしい|お願いします|てください|先跟我|告诉我|通知我|问我|先问|\
    항상|절대|반드시|앞으로|모든|매번|규칙|하지 마|지 마|금지|해야|하자|기로|말고|말아|마라|안 돼|안 된|꼭|전부|좋아|좋겠|싫|통일|기준|알려줘|말해줘|물어봐|하면";

/// Phrases that limit an instruction to one occasion.
pub(super) const ONCE: &str = "just this once|only this once|just this time|only this time|this one time|this time only|just for today|only for today|only today|for today|\
    for this session only|for this session|for this task only|nur diesmal|nur dieses mal|dieses eine mal|ausnahmsweise|nur heute|nur für heute|\
    just for now|for now only|für diesmal|juste cette fois|seulement cette fois|pour cette fois|exceptionnellement|juste pour aujourd'hui|solo esta vez|sólo esta vez|por esta vez|solo por hoy|\
    só desta vez|só dessa vez|apenas desta vez|só hoje|solo questa volta|solo per oggi|alleen deze keer|только в этот раз|только сегодня|только один раз|\
    tylko tym razem|bu seferlik|仅此一次|这一次|就这次|只这次|这次先|今回だけ|今回のみ|今日だけ|이번만|이번에만|오늘만";

/// Words that make an instruction or decision outlive its session.
pub(super) const STANDING: &str = "always|never|don't|do not|every|each time|whenever|from now on|prefer|instead|rather than|should|must|by default|\
    because|in future|in the future|going forward|convention|rule|only|not|no longer|remember|make sure|before|after|unless|we use|use|let's|decided|we go with|go with|keep|stick|no|all|\
    immer|nie|niemals|nicht|kein|keine|keinen|muss|müssen|soll|sollen|ab jetzt|ab sofort|künftig|in zukunft|statt|nur|jede|jeder|jeden|jedes|alle|regel|bitte|wir nehmen|wir nutzen|wir verwenden|wir bleiben|entschieden|bevor|vor|nach|grundsätzlich|lieber|gehört|gehören|wird|werden|bleibt|bleiben|nimm|nutze|verwende|\
    toujours|jamais|pas|doit|doivent|il faut|désormais|dorénavant|chaque|tous|toutes|plutôt|au lieu|règle|utilise|utilisez|utilisons|on utilise|on garde|on part|décidé|avant|sans|uniquement|seulement|préfère|\
    siempre|nunca|no|debe|deben|hay que|cada|todos|todas|a partir de ahora|en adelante|regla|usa|usamos|usad|usemos|decidido|vamos con|nos quedamos|antes|sin|solo|sólo|prefiero|en lugar|en vez|\
    sempre|não|nao|deve|devem|de agora em diante|a partir de agora|regra|use|usar|vamos|antes|sem|apenas|só|todo|toda|prefiro|\
    mai|non|deve|devono|d'ora in poi|ogni|tutti|tutte|regola|usa|usiamo|prima|senza|solo|preferisco|\
    altijd|nooit|niet|geen|moet|moeten|vanaf nu|elke|alle|regel|gebruik|we gebruiken|voor|zonder|alleen|liever|\
    всегда|никогда|не|нельзя|должен|должна|должны|должно|нужно|надо|отныне|впредь|каждый|каждая|каждое|все|правило|используй|используем|используйте|решили|перед|без|только|предпочитаю|вместо|\
    zawsze|nigdy|nie|musi|muszą|od teraz|każdy|każda|wszystkie|używaj|używamy|przed|bez|tylko|\
    her zaman|asla|mutlaka|bundan sonra|artık|her|kullan|önce";

/// [`STANDING`] in scripts without blanks.
pub(super) const STANDING_UNSPACED: &str = "必须|必須|一定|总是|始终|永远|不要|不能|不得|禁止|以后|今后|每次|每个|所有|都|统一|一律|约定|规则|决定|就用|使用|只|别|先|优先|用|应该|要|\
    必ず|常に|すべて|全て|禁止|ないで|ない|してください|こと|今後|これから|ルール|毎回|にする|にします|べき|使う|使って|だけ|\
    항상|절대|반드시|앞으로|모든|매번|규칙|하지 마|금지|해야|세요|쓴다|씁니다|쓰자|하자|합니다|한다|말고|먼저|로 가|으로 가|전부|모두|줘|주세요|기로|말아|마라";

/// Words that accept a proposal.
pub(super) const ACCEPTING: &str = "yes|yep|yeah|yup|y|ok|okay|k|sure|go|go ahead|do it|do that|let's do it|let's do that|lets do that|let's go with that|go with that|sounds good|looks good|agreed|agree|\
    exactly|perfect|correct|right|fine|great|good|lgtm|ship it|please do|absolutely|definitely|that works|works for me|make it so|approved|+1|👍|✅|\
    ja|jo|jap|jawohl|genau|passt|mach|mach das|mach es so|machen wir|machen wir so|so machen wir|einverstanden|klingt gut|gerne|gern|in ordnung|stimmt|richtig|perfekt|gut|\
    oui|ouais|d'accord|parfait|vas-y|allez-y|très bien|entendu|c'est bon|bien sûr|exact|on fait ça|\
    sí|si|vale|de acuerdo|claro|perfecto|adelante|hazlo|está bien|exacto|bueno|dale|\
    sim|certo|pode ser|beleza|combinado|fechado|isso|perfeito|pode|va bene|certo|perfetto|d'accordo|esatto|procedi|\
    prima|akkoord|goed|doe maar|да|ага|хорошо|давай|давайте|согласен|согласна|отлично|верно|конечно|ладно|ок|\
    tak|dobrze|zgoda|jasne|evet|tamam|olur|\
    可以|好|好的|行|是|是的|对|對|同意|没问题|沒問題|就这样|就这么办|就这样吧|嗯|可|好啊|没错|当然|はい|いいよ|いいです|いいですね|それで|それでお願いします|お願いします|了解|うん|賛成|\
    me parece|me parece bien|me parece perfecto|genial|buena idea|suena bien|hagámoslo|me gusta|por mí|nickel|ça marche|ça me va|allons-y|bonne idée|banco|gute idee|finde ich gut|klingt gut|so machen wir das|klingt nach einem plan|boa|boa ideia|ótimo|ótima ideia|gostei|por mim|manda ver|bora|fica assim|pode fazer|perfetto|ottimo|ottima idea|mi piace|facciamo così|lijkt me goed|doen we|супер|годится|подходит|пусть так|так и сделаем|поддерживаю|świetnie|pasuje|niech będzie|harika|süper|olsun|good idea|i like it|love it|let's|就这么定|就按这个|没意见|听你的|赞成|不错，就|いいね|それでいこう|そうしよう|そうして|賛成です|問題ない|그러자|그럽시다|그걸로|그렇게 가|좋네|콜|ㅇㅇ|ㅇㅋ|네|예|응|좋아|좋아요|좋습니다|그렇게|그렇게 해|그렇게 하자|맞아|동의|오케이|그래";

/// Words that decline a proposal.
pub(super) const DECLINING: &str = "no|nope|nah|don't|do not|stop|wait|not|neither|none|nein|nö|nicht|halt|warte|keine|non|pas|aucun|attends|ninguno|ninguna|espera|não|nenhum|aspetta|nessuno|nee|niet|нет|не|стой|подожди|nie|hayır|\
    不|不要|不行|别|都不|いいえ|いや|だめ|違|やめ|아니|싫|안 돼";

/// Ordinals and their numbers.
pub(super) const ORDINALS: &[(&str, usize)] = &[
    (
        "first|1st|former|erste|ersten|erster|erstere|première|premier|primera|primero|primeira|primeiro|prima|primo|eerste|первый|первая|первое|pierwszy|birinci|第一|一つ目|最初|첫",
        1,
    ),
    (
        "second|2nd|latter|zweite|zweiten|zweiter|letztere|deuxième|seconde|segunda|segundo|seconda|secondo|tweede|второй|вторая|второе|drugi|druga|ikinci|第二|二つ目|두 번째|두번째",
        2,
    ),
    (
        "third|3rd|dritte|dritten|dritter|troisième|tercera|tercero|terceira|terceiro|terza|terzo|derde|третий|третья|третье|trzeci|üçüncü|第三|三つ目|세 번째|세번째",
        3,
    ),
    (
        "fourth|4th|vierte|vierten|vierter|quatrième|cuarta|cuarto|quarta|quarto|vierde|четвёртый|четвертый|czwarty|dördüncü|第四|四つ目|네 번째",
        4,
    ),
];

/// Words in a choice without meaning of their own.
pub(super) const CHOOSING: &str = "option variant variante version choice the one take lets let go with please bitte nehmen wir nimm ja yes ok okay \
    dann die das den der opción opcion la el l'option vamos con choix prends on prend вариант давай opzione optie opção i'd prefer \
    think pick choose use do it that this thanks danke merci gracias and und for me definitely also sounds good is fine works number \
    nummer numéro número nr no. my vote best better looks";

/// Numbers as words. Those that are also articles are left out.
pub(super) const NUMBERS: &[(&str, &str)] = &[
    (
        "two zwei deux dos dois due twee два две dwa iki 二 两 둘",
        "2",
    ),
    ("three drei trois tres três tre drie три trzy üç 三 셋", "3"),
    (
        "four vier quatre cuatro quatro quattro четыре cztery dört 四",
        "4",
    ),
    ("five fünf cinq cinco cinque vijf пять pięć beş 五", "5"),
    ("six sechs seis sei zes шесть sześć altı 六", "6"),
    (
        "seven sieben sept siete sete sette zeven семь siedem yedi 七",
        "7",
    ),
    ("eight acht huit ocho oito otto восемь osiem sekiz 八", "8"),
    (
        "nine neun neuf nueve nove negen девять dziewięć dokuz 九",
        "9",
    ),
    ("ten zehn dix diez dez dieci tien десять dziesięć 十", "10"),
    (
        "twelve zwölf douze doce doze dodici twaalf двенадцать",
        "12",
    ),
    ("twenty zwanzig vingt veinte vinte venti двадцать", "20"),
    ("thirty dreißig trente treinta trinta trenta тридцать", "30"),
];

/// Levels in log lines.
pub(super) const LOG_LEVELS: &str = "ERROR ERR WARN WARNING INFO DEBUG TRACE FATAL NOTICE CRITICAL";

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

pub(super) static NEUTRAL_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let mut all = set(NEUTRAL);
    for (_, words) in LANGUAGES
        .iter()
        .filter(|(name, _)| !UNLISTED.contains(name))
    {
        all.extend(words.split_whitespace());
    }
    all
});

/// Modality alone, without function words.
pub(super) static MODAL_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| set(NEUTRAL));
pub(super) static NEGATOR_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| set(NEGATORS));
pub(super) static EXCEPTION_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| set(EXCEPTIONS));
pub(super) static CHOOSING_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| set(CHOOSING));
pub(super) static LANGUAGE_WORDS: LazyLock<Vec<(&str, HashSet<&str>)>> = LazyLock::new(|| {
    let languages = LANGUAGES.iter();
    languages.map(|(name, words)| (*name, set(words))).collect()
});

/// Reports whether a lower-case text contains one of the phrases: as whole words, or anywhere in scripts without
/// blanks.
pub(super) fn has_phrase(text: &str, phrases: &str) -> bool {
    phrases
        .split('|')
        .any(|phrase| find_phrase(text, phrase.trim()).is_some())
}

/// Reports whether a lower-case text begins with one of the phrases.
pub(super) fn starts_with_phrase(text: &str, phrases: &str) -> bool {
    phrases
        .split('|')
        .any(|phrase| find_phrase(text, phrase.trim()) == Some(0))
}

/// Returns the position of a phrase in a lower-case text.
pub(super) fn find_phrase(text: &str, phrase: &str) -> Option<usize> {
    if phrase.is_empty() {
        return None;
    }
    let unspaced = phrase.chars().any(acreta_text::is_unspaced);
    let is_edge = |character: Option<char>| {
        unspaced || character.is_none_or(|one| !one.is_alphanumeric() && one != '\'')
    };
    let mut found = text.match_indices(phrase);
    found
        .find(|(place, found)| {
            is_edge(text[..*place].chars().next_back())
                && is_edge(text[place + found.len()..].chars().next())
        })
        .map(|(place, _)| place)
}
