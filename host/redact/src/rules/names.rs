//! Values that are assigned to the name of a secret.

use super::{CONTEXT, Finder, Rule};
use crate::assignment;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "secret-assignment",
        keywords: &[
            "secret",
            "token",
            "apikey",
            "_key",
            "-key",
            ".key",
            "accesskey",
            "authkey",
            "appkey",
            "masterkey",
            "encryptionkey",
            "signingkey",
            "sharedkey",
            "presharedkey",
            "privatekey",
            "servicekey",
            "clientkey",
            "licensekey",
            "accountkey",
            "subscriptionkey",
            "subscription-key",
            "adminkey",
            "credential",
            "_salt",
            "_auth",
            "_pat=",
            "_pat:",
            "_pat\"",
            "_sig",
            "_hmac",
            "passkey",
            "api key",
            "access key",
            "secret key",
            "auth key",
            "client_assertion",
            "authcode",
            "auth_code",
            "_cookie",
        ],
        finder: Finder::Code(assignment::secrets),
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "secret-assignment",
        keywords: &["_authtoken"],
        finder: Finder::Code(assignment::certain),
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "password-assignment",
        keywords: &[
            "pass",
            "pwd",
            "_pw",
            "psk",
            "kennwort",
            "contrase",
            "senha",
            "пароль",
            "密码",
            "パスワード",
        ],
        finder: Finder::Code(assignment::passwords),
        general: true,
        ..CONTEXT
    },
];
