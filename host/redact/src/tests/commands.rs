//! Commands that print a secret or take one as an argument, and commands that look like them. `§` is the secret.

use serde_json::json;

use super::{HEX, LETTERS, random, redactor};
use crate::{Counts, Redactor};

const UUID: &str = "7c1e94d2-3b6f-4a85-9e07-d15f2ab8c634";
const PASSWORD: &str = "wq7_Hd!2mZpV";

const PRINTERS: &[&str] = &[
    "openssl rand -base64 32",
    "cd app && openssl rand -hex 24",
    "op read op://team/stripe/credential",
    "op item get mailer --reveal --fields password",
    "vault kv get -field=value kv/app",
    "pass show mail/relay",
    "gh auth token",
    "gcloud auth print-access-token",
    "aws ecr get-login-password --region eu-west-1 | head -1",
    "heroku auth:token; ls",
    "security find-generic-password -w -s deploy",
    "bitcoin-cli dumpprivkey bc1qexampleaddress",
    "head -c 32 /dev/urandom | base64",
    "python3 -c 'import secrets; print(secrets.token_urlsafe(32))'",
    "node -e \"console.log(require('crypto').randomBytes(32).toString('hex'))\"",
    "printf %s \"$VAULT_UNSEAL_PW\" | xxd -p",
    "echo $DEPLOY_TOKEN",
    "printenv STRIPE_SECRET",
];

const OTHERS: &[&str] = &[
    "SECRET=$(openssl rand -hex 32) docker compose up",
    "openssl rand -base64 32 > .session-key",
    "cat docs/op-reader.md",
    "compass show things",
    "git rev-parse HEAD",
    "openssl random-notes",
    "echo $PATH",
    "echo $TOKEN_COUNT",
    "printf '%s\\n' \"$version\"",
    "kubectl get pods",
    "ls /dev/null",
];

#[test]
fn commands_that_print_a_secret_are_known() {
    for command in PRINTERS {
        assert!(redactor().reads_secret(command), "{command}");
        let call = json!({ "command": command, "description": "Run it" }).to_string();
        assert!(redactor().reads_secret(&call), "{call}");
    }
    for command in OTHERS {
        assert!(!redactor().reads_secret(command), "{command}");
    }
}

#[test]
fn outputs_of_such_commands_go_in_traces_and_in_raw_files() {
    let values = [
        format!("{}=", random(LETTERS, 43)),
        random(HEX, 48),
        UUID.to_owned(),
        random(LETTERS, 30),
    ];
    for value in &values {
        for output in [
            value.clone(),
            format!("Output: {value}\nProcess Group PGID: 4711"),
            format!("Wall time: 0.1 seconds\nOutput:\n{value}\n"),
            format!("{value}\n<shellId: 0 completed with exit code 0>"),
        ] {
            let mut counts = Counts::default();
            let clean = redactor().redact_contents(&output, &mut counts);
            assert!(!clean.contains(&**value), "{output} -> {clean}");
        }
    }
    let value = &values[1];
    for command in PRINTERS {
        let call = json!({ "input": { "command": command, "description": "Run it" } });
        let result = json!({ "type": "tool_result", "content": value });
        for raw in [
            format!("{call}\n{result}\n"),
            format!("$ {command}\n{value}\n$ ls\n"),
        ] {
            let clean = redactor().redact(&raw).text;
            assert!(!clean.contains(&**value), "{raw} -> {clean}");
        }
    }
    for command in OTHERS {
        let call = json!({ "input": { "command": command } });
        let raw = format!("{call}\n{}\n", json!({ "content": value }));
        assert_eq!(redactor().redact(&raw).text, raw);
    }
    // A text about such a command is not one.
    let raw = format!(
        "{}\n{}\n",
        json!({ "text": "Run `openssl rand -hex 32` for it." }),
        json!({ "content": value })
    );
    assert_eq!(redactor().redact(&raw).text, raw);
}

#[test]
fn arguments_that_are_credentials_go() {
    for (command, secret) in [
        ("snyk auth §", UUID),
        ("npx snyk auth § && snyk test", UUID),
        ("snyk config set api=§", UUID),
        ("vault login §", UUID),
        (
            "vault operator unseal §",
            "pXv1k9QmTz4RbL7sWdYc2HgJ5nFe8AaU",
        ),
        ("doctl auth init -t §", "pXv1k9QmTz4RbL7sWdYc2HgJ5nFe8AaU"),
        (
            "ngrok config add-authtoken §",
            "2abQk9XmTz4RbL7sWdYc2HgJ5nF",
        ),
        ("dotnet nuget setapikey § -Source https://nuget.test", UUID),
        (
            "twilio login ACprofile §",
            "9f3ac71e5b0d48e6a2c4f7081b6d93e5",
        ),
        (
            "wandb login --relogin §",
            "9f3ac71e5b0d48e6a2c4f7081b6d93e51f0c9b3a",
        ),
        ("bw login dana@mail.test §", PASSWORD),
        ("bw unlock '§'", PASSWORD),
        ("mc alias set prod https://s3.test buildbot §", PASSWORD),
        ("rabbitmqctl add_user shop §", PASSWORD),
        ("rabbitmqctl change_password shop §", PASSWORD),
        ("grafana-cli admin reset-admin-password §", PASSWORD),
        ("wpa_passphrase HomeNet §", PASSWORD),
        ("rclone obscure §", PASSWORD),
        (r"net use Z: \\files02\drop § /user:CORP\svc", PASSWORD),
        (r"net use \\files02\drop § /persistent:no", PASSWORD),
        (r"net use * \\files02\drop §", PASSWORD),
        ("a003 LOGIN \"robot\" \"§\"", PASSWORD),
        ("> A12 LOGIN robot@mail.test §", PASSWORD),
    ] {
        let text = command.replace('§', secret);
        let json = json!({ "cmd": text, "n": 1 }).to_string();
        let lines = json!({ "cmd": format!("cd app\n{text}\nls -la") }).to_string();
        let twice = json!({ "arguments": json }).to_string();
        for text in [text, json, lines, twice] {
            let clean = redactor().redact(&text).text;
            assert!(!clean.contains(secret), "{text} -> {clean}");
        }
    }
}

#[test]
fn other_arguments_stay() {
    for text in [
        "snyk auth",
        "snyk auth --help",
        "snyk auth $SNYK_TOKEN",
        "snyk auth <your-token>",
        "vault login -method=oidc role=admin",
        "vault login github-actions",
        "cargo login\ncargo publish",
        "bw login dana@mail.test",
        "bw unlock --passwordenv BW_PASSWORD",
        "wandb login --relogin",
        r"net use Z: \\files02\drop",
        r"net use Z: \\files02\drop /user:CORP\svc *",
        "net use is a command of Windows-11",
        "step 2 LOGIN page works",
        "a001 LOGIN",
        "The v2 LOGIN form is at /login2",
        "mc alias set prod https://s3.test $ACCESS $SECRET",
        "rabbitmqctl add_user shop \"$RABBIT_PASS\"",
        "mysql is up\ndocker run -p 8080:80 app\nssh -p2222 host",
        "curl https://api.test/v1\ndocker run -u 1000:1000 app\n",
        "unzip build.zip\nmkdir -p dist/assets\n",
    ] {
        let json = json!({ "cmd": text }).to_string();
        for text in [text, &json] {
            assert_eq!(redactor().redact(text).text, text);
        }
    }
}

#[test]
fn allowed_arguments_stay() {
    let redactor = Redactor::new(&[UUID.to_owned()]).unwrap();
    let text = format!("snyk auth {UUID}");
    assert_eq!(redactor.redact(&text).text, text);
}
