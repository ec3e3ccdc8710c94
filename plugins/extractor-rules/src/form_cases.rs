#[test]
fn english() {
    check(&[
        // Decisions.
        ("We decided to sign releases with minisign instead of GPG because nobody could manage the keyring", "!decision"),
        ("We settled on Postgres for the job queue", "!decision"),
        ("After some back and forth we agreed on trunk-based development", "!decision"),
        ("We're going with server-sent events because proxies kill websockets", "!decision"),
        ("let's use apple container instead of docker proper", "!decision"),
        ("We moved to pnpm last year, npm is gone", "!decision"),
        ("we explicitly don't want hardcoded visual tests", "!decision"),
        ("we'll keep the XML importer out of the first version", "!decision"),
        ("Let's standardise on ISO dates in logs", "!decision"),
        // Rules.
        ("do not add dependencies without asking me", "!preference"),
        ("Ask me before you touch the billing module", "!preference"),
        ("the staging db is read-only, use the replica", "!convention"),
        ("tests belong next to the module, in all packages", "!convention"),
        ("from now on always use pnpm, never npm", "!convention"),
        ("Never commit generated files", "!convention"),
        ("invalid themes must NEVER explode", "!convention"),
        ("All public functions must have a doc comment", "!convention"),
        ("Every migration needs a down script", "!convention"),
        ("When you add a flag, also document it in the README", "!convention"),
        ("Before committing, run the linter", "!convention"),
        ("No force push anywhere", "!convention"),
        ("No emojis in commit messages", "!convention"),
        ("the config loader must not panic on a bad file", "!convention"),
        ("Error messages should name the file and the line, because support reads them over the phone", "!decision"),
        ("Use British spelling instead of American in all docs", "!convention"),
        ("Remember that the CI runner has no network", "!convention"),
        ("We only deploy from the main branch", "!convention"),
        ("Feature flags live in `flags.toml`", "!convention"),
        ("Never touch the `vendor/` folder, it is synced from upstream", "!convention"),
        // Preferences.
        ("I prefer small commits", "!preference"),
        ("I'd rather have one long function than five that call each other once", "!preference"),
        ("I don't like mocks in tests", "!preference"),
        ("I hate abbreviations in variable names", "!preference"),
        ("Don't ever deploy on a Friday", "!convention"),
        ("keep your answers short", "!preference"),
        ("Could you always run the linter before you push?", "!convention"),
        ("Careful with the timestamps: they are local time, not UTC", "!convention"),
        ("All our bucket names start with acme-", "!convention"),
        ("Snapshots are recorded on Linux only, the fonts differ on a Mac", "!convention"),
        ("write the comments in German", "!preference"),
        ("translate the comments to German, in German please", ""),
        // Likely, not sure.
        ("don't use mocks", "pending"),
        ("The footer should show the branch name", "!decision"),
        // Requirements, meanings, settled facts.
        ("Caddy replaces nginx on the edge boxes", "!decision"),
        ("LiveView it is for the admin screens", "!decision"),
        ("Let Gotenberg render the previews", "!decision"),
        ("Result of the call: maps come from our own tiles", "!decision"),
        ("payloads will be CBOR", "!decision"),
        ("`unwrap()` has no business outside of tests", "!decision"),
        ("For headings use Inter", "!decision"),
        ("exit code 3 means that the index is stale", "!convention"),
        ("You keep forgetting it: whenever a task is done, add a line to the changelog", "!convention"),
        ("Look at the picker, and keep in mind that we support Safari 15", "!convention"),
        ("Accessibility comes first in the player", "!preference"),
        // All of a kind.
        ("Every endpoint gets an integration test", "!convention"),
        ("each service owns its own schema", "!convention"),
        ("Prices are integer cents everywhere", "!convention"),
        ("All ids are ULIDs here, numbers exist in the old export alone", "!convention"),
        ("one migration per pull request", "!convention"),
        ("the repo uses conventional commits", "!convention"),
        ("every time you add a flag, document it in the README", "!convention"),
        ("I prefer it when you show the plan before you touch any code", "!preference"),
        ("We talked about it on Monday and decided to go with Redis instead of Kafka, because nobody wants to run a cluster just for that", "!decision"),
        ("all modules have an owner", "pending"),
        ("every request is logged twice right now", ""),
        ("every time I open the page it crashes", ""),
        ("every second request gets a 500", ""),
        ("each run takes ten minutes", ""),
        ("all tests are green", ""),
        ("all of it goes to the log", ""),
        ("one more thing per our call", ""),
        ("the project is a mess", ""),
        ("The block should stay as is", ""),
        // For us, ours, as soon as.
        ("Migrations are forward only for us, if one was wrong we write another one on top", "!convention"),
        ("our branches are named after the ticket, so this one is ab-12", "!convention"),
        ("When you're done with something, tell me in three lines at most what changed", "!convention"),
        // Complaints, reports of others, tasks.
        ("ugh the diff is always so noisy when the formatter moves imports", ""),
        ("Leipzig never updates, their firewall sucks", ""),
        ("Marta said in standup that every service should be on Kubernetes", ""),
        ("The carrier field has to become an object, because the new client needs more than a string", ""),
        // One clause of several.
        ("the base image has no digest, in our company all base images must be pinned by digest, so correct this also", "!convention"),
        ("then open a draft PR, I'll write the text myself, and I prefer it when you explain the plan before you touch any code", "!preference"),
        ("the total is off by a cent, money is integer cents everywhere, so somebody broke that", "!convention"),
        ("if the build is red, always ask in the channel first, they know", ""),
        ("I looked at it, the tests always fail on CI, no idea why", ""),
        // About nobody in particular, about now, by somebody else, or about something unknown.
        ("then somebody has to drive out there", ""),
        ("nobody has to think of certbot any more", ""),
        ("progress has to be saved somewhere", ""),
        ("now don't resize", ""),
        ("a tester wrote: we always jump before the ledge", ""),
        ("the buttons don't open a window, as the script is gone", ""),
        ("start with the colours file", ""),
        // One-offs, questions, reports, pointers.
        ("fix the failing test", ""),
        ("fix all the failing tests", ""),
        ("use port 3001 for this run", ""),
        ("can you always run the tests?", ""),
        ("why do we never close the file?", ""),
        ("the test always fails on CI", ""),
        ("it never worked", ""),
        ("add a test for the config loader", ""),
        ("make the sidebar a bit wider", ""),
        ("commit and push", ""),
        ("We need to fix some merge conflicts", ""),
        ("let's go with option 1", ""),
        ("let's fix 3 too", ""),
        ("that should never happen", ""),
        ("we merged that PR", ""),
        ("No teams or leads are loading into the pane now", ""),
        ("no idea", ""),
        ("I want you to analyze the website", ""),
        ("catch SuitableRepoNotFound not `FileNotFoundError`", ""),
        ("run all tests", ""),
        ("check all the places that still use it", ""),
        ("These are the rules:", ""),
        ("I think we have a bug somewhere", ""),
        ("looks good", ""),
        ("no wait, that's too big, go back to 14", ""),
        ("and never mind the underline, it's fine", ""),
        ("The invoice is broken on my machine, it never finishes rendering", ""),
        ("Always use pnpm for installs, it never rewrites the lock file", "!convention"),
        ("delete every branch but main", ""),
        ("add tests for --map-tokens", ""),
        ("I removed them all", ""),
        ("it's fine, let's mark the pr ready for review", ""),
    ]);
}

#[test]
fn german() {
    check(&[
        ("Ab jetzt immer pnpm statt npm verwenden", "!convention"),
        ("Wir haben uns dafür entschieden, Konten nur zu sperren, weil die Belege bleiben müssen", "!decision"),
        ("In Briefen wird der Kunde grundsätzlich gesiezt", "!convention"),
        ("Das Glossar pflegen wir von Hand, bitte nie generieren", "!convention"),
        ("Jede Tabelle bekommt einen Index", "!convention"),
        ("Wir haben uns dagegen entschieden", ""),
        ("Alle Tests sind grün", ""),
        ("Das Modul ist kaputt", ""),
        ("Wir haben uns für Postgres entschieden, weil die Replikation einfacher ist", "!decision"),
        ("Wir haben beschlossen, die alte API nicht mehr zu pflegen", "!decision"),
        ("Füge keine Abhängigkeiten hinzu, ohne mich zu fragen", "!preference"),
        ("Ich bevorzuge kleine Commits", "!preference"),
        ("Generierte Dateien dürfen nie von Hand geändert werden", "!convention"),
        ("Tests gehören neben das Modul", "!convention"),
        ("Merk dir: der CI-Server hat kein Netz", "!convention"),
        ("behebe den Fehler im Parser", ""),
        ("kannst du immer die Tests laufen lassen?", ""),
        ("Das geht nicht", ""),
        ("Der Test schlägt immer fehl", ""),
    ]);
}

#[test]
fn spanish() {
    check(&[
        ("A partir de ahora usa siempre pnpm en lugar de npm", "!convention"),
        ("Hemos decidido usar Postgres porque la replicación es más simple", "!decision"),
        ("No añadas dependencias sin preguntarme", "!preference"),
        ("Prefiero los commits pequeños", "!preference"),
        ("Los archivos generados nunca se deben editar a mano", "!convention"),
        ("Todos los endpoints deben validar la entrada", "!convention"),
        ("arregla la prueba que falla", ""),
        ("¿puedes ejecutar siempre las pruebas?", ""),
        ("Esto siempre falla", ""),
    ]);
}

#[test]
fn french() {
    check(&[
        ("Désormais, utilise toujours pnpm au lieu de npm", "!convention"),
        ("On a décidé de garder SQLite parce que le déploiement est plus simple", "!decision"),
        ("N'ajoute pas de dépendances sans me demander", "!preference"),
        ("Je préfère les petits commits", "!preference"),
        ("Les fichiers générés ne doivent jamais être modifiés à la main", "!convention"),
        ("Tous les messages doivent être en anglais", "!convention"),
        ("corrige le test qui échoue", ""),
        ("peux-tu toujours lancer les tests ?", ""),
        ("Ça ne marche jamais", ""),
    ]);
}

#[test]
fn russian() {
    check(&[
        ("Всегда используй pnpm вместо npm", "!convention"),
        ("Мы решили остаться на Postgres, потому что репликация проще", "!decision"),
        ("Не добавляй зависимости без моего согласия", "!preference"),
        ("Я предпочитаю маленькие коммиты", "!preference"),
        ("Сгенерированные файлы нельзя править руками, никогда", "!convention"),
        ("Все публичные функции должны иметь комментарий", "!convention"),
        ("исправь падающий тест", ""),
        ("почему тест всегда падает?", ""),
        ("Это не работает", ""),
    ]);
}

#[test]
fn chinese() {
    check(&[
        ("以后所有提交信息都必须用英文", "!convention"),
        ("我们决定用 Postgres 而不是 MySQL，因为复制更简单", "!decision"),
        ("没有我的同意不要添加依赖", "!preference"),
        ("我更喜欢小的提交", "!preference"),
        ("永远不要手动修改生成的文件", "!convention"),
        ("測試必須放在模組旁邊，所有套件都一樣", "!convention"),
        ("帮我修复这个测试", ""),
        ("为什么测试总是失败？", ""),
        ("好的", ""),
        ("继续", ""),
    ]);
}

#[test]
fn japanese() {
    check(&[
        ("pdfjs-dist を外してください", ""),
        ("今後は必ず pnpm を使ってください", "!convention"),
        ("Postgres を使うことにしました、レプリケーションが簡単だからです", "!decision"),
        ("許可なく依存関係を追加しないでください", "!preference"),
        ("小さいコミットの方が好きです", "!preference"),
        ("生成されたファイルは絶対に手で編集しないでください", "!convention"),
        ("すべての関数にコメントを書くこと", "!convention"),
        ("失敗しているテストを修正して", ""),
        ("なぜテストはいつも失敗するのですか？", ""),
        ("お願いします", ""),
    ]);
}
