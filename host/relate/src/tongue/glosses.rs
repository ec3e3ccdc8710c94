//! Small words of other languages and the English ones that steer the reader the same way. An empty gloss leaves
//! the word out.

pub(super) const GERMAN: &str = "\
der, die, das, den, dem, des: the
ein, eine, einen, einem, einer, eines: a
nicht: not
nicht mehr, nicht länger, kein mehr, keine mehr: no longer
kein, keine, keinen, keinem, keiner, keinerlei: no
nie, niemals: never
ohne: without
statt, anstatt, anstelle, anstelle von, statt mit: instead of
sondern: but
stattdessen: instead
ab jetzt, ab sofort, von nun an, künftig, jetzt, nun, inzwischen, neuerdings: now
immer, stets, grundsätzlich: always
nur, nur noch, ausschließlich: only
bitte: please
muss, müssen: must
soll, sollen, sollte, sollten: should
darf, dürfen: may
kann, können: can
ist, wird: is
sind, werden: are
war, wurde: was
waren, wurden: were
worden: been
hat: has
haben: have
für: for
mit: with
in, im, ins: in
auf: on
von, vom, durch: by
bei, beim, am: at
zu, zum, zur, nach: to
aus: from
vor: before
über: through
und, sowie: and
oder: or
aber, jedoch: but
auch: also
zusätzlich, außerdem: additionally
außer, ausgenommen, mit ausnahme von: except
wenn, falls: if
weil, da, denn: because
seit: since
wir: we
ich: i
du: you
es, sie, er: it
verwenden, verwendet, verwende, benutzen, benutze, benutzt, nutzen, nutze, nutzt, nehmen, nimm: use
vermeiden, vermeide: avoid
verboten, untersagt: forbidden
erlaubt: allowed
entfernt: removed
gelöscht: deleted
abgeschaltet, abgeschafft: retired
gekündigt: cancelled
ersetzt: replaced
eingestellt: discontinued
umgestellt, gewechselt: switched
umstellen, wechseln: switch
als: as
zwischen: between
alle, alles, allen, jeder, jede, jedes, jeden, jedem: every
noch, weiterhin: still
bleiben, bleibt: stays
sich, dass, so, dann, bis: 
zwei: two
drei: three
vier: four
fünf: five
sechs: six
sieben: seven
acht: eight
neun: nine
zehn: ten
";

pub(super) const SPANISH: &str = "\
el, la, los, las: the
un, una, unos, unas: a
lo, se, su, sus, que: 
no, tampoco: never
ya no: no longer
nunca, jamás: never
ningún, ninguna, ninguno, nada: no
sin: without
en lugar de, en vez de: instead of
sino: but
a partir de ahora, desde ahora, de ahora en adelante, ahora: now
siempre: always
solo, sólo, solamente, únicamente: only
por favor: please
debe, deben, debes, hay que, tiene que, tienen que: must
puede, pueden, puedes, podemos: may
es, está: is
son, están: are
era, fue: was
fueron: were
hay: is
para: for
con: with
en: in
sobre: on
de, del: of
por: by
a, al, hacia: to
desde: from
antes: before
después: after
y, e: and
o: or
pero: but
también: also
además: additionally
ni: nor
ni siquiera: also not
salvo, excepto, menos: except
si: if
cuando: when
donde: where
porque: because
nosotros: we
usar, usamos, usa, usan, uses, use, utilizar, utilizamos, utiliza, utilizan: use
evitar, evita: avoid
prohibido, prohibida, prohibidos: forbidden
permitido: allowed
eliminado, eliminada: removed
reemplaza, reemplazar, sustituir, sustituye: replace
cambiamos, migramos, pasamos, cambiar, migrar: switch
como: as
entre: between
cada, todo, todos, toda, todas: every
no hace falta, no es necesario: no need
hace falta: need
dos: two
tres: three
cuatro: four
cinco: five
seis: six
siete: seven
ocho: eight
nueve: nine
diez: ten
";

pub(super) const FRENCH: &str = "\
le, la, les, l: the
un, une, des: a
du, de, d: of
ne, n: never
pas, plus, jamais: no
aucun, aucune, rien: no
sans: without
au lieu de, à la place de, plutôt que: instead of
désormais, maintenant, dorénavant, à partir de maintenant: now
toujours: always
seulement, uniquement: only
doit, doivent, il faut: must
peut, peuvent: may
est: is
sont: are
était: was
pour: for
avec: with
dans, en: in
sur: on
par: by
à, au, aux, vers: to
depuis: since
avant: before
après: after
et: and
ou: or
mais: but
aussi: also
sauf, excepté: except
si: if
quand: when
car: because
nous, on: we
se, s, que, qu, y, ce, c: 
utiliser, utilisons, utilise, utilisez, utilisent: use
éviter, évite, évitez: avoid
interdit, interdite, interdits: forbidden
autorisé: allowed
supprimé, supprimée: removed
remplace, remplacer: replace
passe, passons, passer, migrer: switch
comme: as
entre: between
chaque, tous, toutes, tout, toute: every
deux: two
trois: three
quatre: four
cinq: five
sept: seven
huit: eight
neuf: nine
dix: ten
";

pub(super) const RUSSIAN: &str = "\
не, нельзя: never
никогда: never
больше не, уже не: no longer
нет, никакой, никаких, ничего: no
без: without
вместо: instead of
а не: not
запрещено, запрещены, запрещён, запрещена: forbidden
можно, разрешено: may
нужно, надо, должен, должны, должна, должно, следует: must
теперь, отныне, с этого момента, с этого дня, сейчас: now
всегда: always
только, лишь: only
пожалуйста: please
в, во: in
на: on
с, со: with
для: for
от, из: from
по: by
через: through
к, ко, до: to
после: after
перед: before
и: and
или: or
но, а: but
также, тоже: also
кроме, исключая, за исключением: except
если: if
когда: when
потому, потому что, так как: because
мы: we
это, этот, эта, что, же, бы, ли: 
использовать, используем, используй, используйте, используется, используются: use
избегать, избегай: avoid
удалён, удалены, удалили, убрали: removed
отказались: dropped
заменили, заменить, заменяем: replace
перешли, переходим, переехали, перевели: switched
как: as
между: between
каждый, каждая, каждое, каждую, все, всё, всех: every
есть: is
был, была, было: was
были: were
ещё: still
два, две, двое: two
три: three
четыре: four
пять: five
шесть: six
семь: seven
восемь: eight
девять: nine
десять: ten
";

pub(super) const CHINESE: &str = "\
不再使用: no longer use
不再, 不用再: no longer
不要, 不能, 不得, 禁止, 请勿, 切勿, 勿, 不, 严禁, 不可: never
没有, 无: no
而不是, 而非: not
代替, 取代, 替代: instead of
改用, 换用, 改成用: now use
改为, 改成, 换成, 变为: now
从现在开始, 从现在起, 今后, 以后, 现在, 目前: now
一律, 总是, 始终, 都, 永远: always
必须, 应该, 应当, 需要, 务必, 要: must
请: please
可以, 允许: may
使用, 采用, 用: use
中文: 中文
中间: 中间
时间: 时间
地址: 地址
前端: 前端
后端: 后端
上传: 上传
后台: 后台
为空: 为空
在: in
由: by
和, 与, 及: and
或, 或者: or
但, 但是: but
除外, 除了, 除非, 除: except
也, 还, 同时: also
仅, 只, 只能: only
之前, 前: before
之后, 后: after
是, 为: is
的, 了, 地, 得, 将, 把, 被, 会, 已, 中, 里, 个, 次, 上, 时: 
所有, 每个, 每, 全部: every
我们: we
到: to
从: from
对: for
以: with
通过: through
两, 二: two
三: three
四: four
五: five
六: six
七: seven
八: eight
九: nine
十: ten
";
