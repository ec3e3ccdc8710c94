//! More vendors, whose tokens have their own prefix.

use super::{CONTEXT, Finder, Rule, beside, token};
use crate::structures;
use crate::value::{Before, Likeness, has_run};

pub(crate) const RULES: &[Rule] = &[
    token(
        "1password-token",
        &["ops_eyj"],
        r"ops_eyJ[A-Za-z0-9+/=_-]{100,2000}",
    ),
    token(
        "1password-key",
        &["a3-"],
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b",
    ),
    token("adobe-secret", &["p8e-"], r"p8e-[A-Za-z0-9]{32}\b"),
    Rule {
        id: "airtable-token",
        keywords: &["airtable"],
        finder: Finder::Pattern(
            r"(?i)airtable[ -~\s]{0,80}?\b(pat[A-Za-z0-9]{14}\.[a-f0-9]{64})\b",
        ),
        ..CONTEXT
    },
    token("algolia-key", &["algolia_"], r"algolia_[a-f0-9]{32}"),
    token(
        "artifactory-key",
        &["akcp", "cmvmd"],
        r"(?:AKCp[A-Za-z0-9]{60,80}|cmVmd[A-Za-z0-9]{59})\b",
    ),
    token(
        "asana-token",
        &["1/1", "2/1"],
        r"[12]/\d{10,20}(?:/\d{10,20})?:[a-f0-9]{32}\b",
    ),
    token(
        "bedrock-key",
        &["absk", "bedrock-api-key-"],
        r"(?:ABSK[A-Za-z0-9+/]{100,300}|bedrock-api-key-[A-Za-z0-9+/]{40,2000})={0,2}",
    ),
    token(
        "bitbucket-token",
        &["atbb", "atctt3"],
        r"(?:ATBB[A-Za-z0-9]{24,40}|ATCTT3[A-Za-z0-9_-]{60,400}(?:=[0-9A-Fa-f]{8}\b)?)",
    ),
    token(
        "buildkite-token",
        &["bkua_", "bkpt_"],
        r"bk(?:ua|pt)_[a-f0-9A-Za-z]{36,60}",
    ),
    token(
        "circleci-token",
        &["ccipat_", "cciprj_"],
        r"CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}",
    ),
    token("clickhouse-key", &["4b1d"], r"4b1d[A-Za-z0-9]{38}\b"),
    token("clojars-token", &["clojars_"], r"(?i)CLOJARS_[a-z0-9]{60}"),
    token(
        "contentful-token",
        &["cfpat-"],
        r"CFPAT-[A-Za-z0-9_-]{40,64}",
    ),
    token(
        "doppler-token",
        &[
            "dp.pt.",
            "dp.st.",
            "dp.ct.",
            "dp.sa.",
            "dp.scim.",
            "dp.audit.",
        ],
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b",
    ),
    token(
        "dropbox-token",
        &["sl."],
        r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,1400}",
    ),
    token(
        "duffel-token",
        &["duffel_"],
        r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}",
    ),
    token(
        "dynatrace-token",
        &["dt0c01.", "dt0s01.", "dt0s16.", "dt0s08."],
        r"dt0[cs]\d\d\.[A-Za-z0-9]{8,24}\.[A-Za-z0-9]{64}\b",
    ),
    token(
        "easypost-key",
        &["ezak", "eztk"],
        r"EZ[AT]K[A-Za-z0-9]{54}\b",
    ),
    token("elevenlabs-key", &["sk_"], r"sk_[a-f0-9]{40,64}\b"),
    Rule {
        likeness: Likeness::Entropy(3.5),
        ..token("facebook-token", &["eaa"], r"EAA[A-Za-z0-9]{80,400}\b")
    },
    token(
        "figma-token",
        &["figd_", "figo_", "figu_", "figoh_"],
        r"fig(?:d|o|u|oh)_[A-Za-z0-9_-]{38,60}",
    ),
    token(
        "firebase-key",
        &["aaaa"],
        r"AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{140}\b",
    ),
    token(
        "flutterwave-key",
        &["flwseck"],
        r"FLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{12,64}(?:-X)?",
    ),
    token(
        "fly-token",
        &["fo1_", "fm1a_", "fm1r_", "fm2_"],
        r"(?:fo1_[A-Za-z0-9_-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/=,_-]{40,2000})",
    ),
    token("frameio-token", &["fio-u-"], r"fio-u-[A-Za-z0-9_=-]{64}"),
    token(
        "google-refresh-token",
        &["1//0"],
        r"1//0[A-Za-z0-9_-]{40,120}",
    ),
    token(
        "harness-token",
        &["pat.", "sat."],
        r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}\b",
    ),
    token(
        "hubspot-token",
        &["pat-na", "pat-eu"],
        r"pat-(?:na|eu)\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
    ),
    token("infracost-key", &["ico-"], r"ico-[A-Za-z0-9]{32}\b"),
    token(
        "intra42-secret",
        &["s-s4t2"],
        r"s-s4t2(?:ud|af)-[a-f0-9]{64}",
    ),
    token(
        "keygen-token",
        &["prod-", "admin-", "activ-"],
        r"(?:prod|admin|activ)-[a-f0-9]{60,66}v[23]\b",
    ),
    token(
        "launchdarkly-key",
        &["sdk-", "api-", "mob-"],
        r"(?:sdk|api|mob)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
    ),
    token(
        "mapbox-token",
        &["sk.eyj", "tk.eyj"],
        r"[st]k\.eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{20,40}",
    ),
    token(
        "maxmind-key",
        &["maxmind"],
        r"(?i)maxmind[ -~\s]{0,40}?([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)",
    ),
    token(
        "netlify-token",
        &["nfp_", "nfc_", "nfu_", "nfb_"],
        r"nf[pcub]_[A-Za-z0-9]{36,40}\b",
    ),
    token(
        "new-relic-key",
        &["nrak-", "nrii-", "nrra-", "nraa-", "nrjs-", "nrsp-"],
        r"NR(?:AK|II|RA|AA|JS|SP)-[A-Za-z0-9-]{19,64}",
    ),
    token(
        "neon-key",
        &["napi_", "npg_"],
        r"(?:napi_[a-z0-9]{40,70}|npg_[A-Za-z0-9]{10,40})\b",
    ),
    token("nuget-key", &["oy2"], r"oy2[a-z0-9]{43}\b"),
    token("octopus-key", &["api-"], r"API-[A-Z0-9]{25,32}\b"),
    token(
        "openshift-token",
        &["sha256~"],
        r"sha256~[A-Za-z0-9_-]{43}\b",
    ),
    token(
        "paypal-token",
        &["access_token$"],
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",
    ),
    token(
        "plaid-token",
        &[
            "access-sandbox-",
            "access-production-",
            "access-development-",
        ],
        r"access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    ),
    token(
        "planetscale-token",
        &["pscale_"],
        r"pscale_(?:tkn|pw|oauth|app_secret)_[A-Za-z0-9_=.-]{30,70}",
    ),
    token("pinecone-key", &["pcsk_"], r"pcsk_[A-Za-z0-9_]{40,80}"),
    token(
        "postman-key",
        &["pmak-"],
        r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}\b",
    ),
    token(
        "prefect-token",
        &["pnu_", "pnb_"],
        r"pn[ub]_[A-Za-z0-9]{36}\b",
    ),
    token("readme-token", &["rdme_"], r"rdme_[a-z0-9]{70}"),
    token("render-key", &["rnd_"], r"rnd_[A-Za-z0-9]{24,40}\b"),
    token(
        "resend-key",
        &["re_"],
        r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b",
    ),
    token("scalingo-token", &["tk-us-"], r"tk-us-[A-Za-z0-9_-]{48}"),
    token(
        "sendinblue-key",
        &["xkeysib-", "xsmtpsib-"],
        r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
    ),
    token(
        "settlemint-token",
        &["sm_aat_", "sm_pat_", "sm_sat_"],
        r"sm_[aps]at_[A-Za-z0-9]{16}\b",
    ),
    token(
        "shippo-token",
        &["shippo_"],
        r"shippo_(?:live|test)_[a-fA-F0-9]{40}",
    ),
    token(
        "sonar-token",
        &["sqp_", "squ_", "sqa_"],
        r"sq[pua]_[a-f0-9]{40}\b",
    ),
    token(
        "sourcegraph-token",
        &["sgp_", "slk_"],
        r"(?:sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?|slk_)[a-fA-F0-9]{40,64}\b",
    ),
    token(
        "square-token",
        &["sq0atp-", "sq0csp-", "sq0idp-", "eaaa"],
        r"(?:sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{60})\b",
    ),
    token("typeform-token", &["tfp_"], r"tfp_[A-Za-z0-9_.=-]{40,70}"),
    token(
        "vercel-token",
        &["vcp_", "vci_", "vca_", "vcr_", "vck_"],
        r"vc[piark]_[A-Za-z0-9]{24,64}\b",
    ),
    token(
        "yandex-key",
        &["aqvn", "t1.9eu", "y0_ag"],
        r"(?:AQVN[A-Za-z0-9_-]{35,38}|t1\.9eu[A-Za-z0-9_=-]{20,200}\.[A-Za-z0-9_-]{86}={0,2}|y0_Ag[A-Za-z0-9_-]{50,60})",
    ),
    token(
        "zapier-webhook",
        &["hooks.zapier.com/"],
        r"hooks\.zapier\.com/hooks/catch/(\d{4,12}/[a-z0-9]{5,12})",
    ),
    token(
        "bitcoin-key",
        &["xprv", "yprv", "zprv", "tprv"],
        r"[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}\b",
    ),
    token(
        "teams-webhook",
        &["webhook.office.com/", "logic.azure.com"],
        r"(?:webhook\.office\.com/webhookb2/([0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[a-f0-9]{32}/[0-9a-f-]{36})|logic\.azure\.com\S{0,200}sig=([A-Za-z0-9_%-]{20,80}))",
    ),
    token(
        "langsmith-key",
        &["lsv2_"],
        r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}",
    ),
    token(
        "langfuse-key",
        &["sk-lf-"],
        r"sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    ),
    token(
        "tavily-key",
        &["tvly-"],
        r"tvly-(?:dev-)?[A-Za-z0-9-]{28,60}",
    ),
    token("nvidia-key", &["nvapi-"], r"nvapi-[A-Za-z0-9_-]{60,80}"),
    token("cerebras-key", &["csk-"], r"csk-[a-z0-9]{40,64}\b"),
    token("fireworks-key", &["fw_"], r"fw_[A-Za-z0-9]{22,32}\b"),
    token("assemblyai-key", &["aai_"], r"aai_[A-Za-z0-9]{30,64}"),
    token(
        "wandb-key",
        &["wandb_v1_"],
        r"wandb_v1_[A-Za-z0-9_-]{40,100}",
    ),
    token(
        "posthog-key",
        &["phx_", "phs_"],
        r"ph[xs]_[A-Za-z0-9]{32,60}\b",
    ),
    token("linear-webhook", &["lin_wh_"], r"lin_wh_[A-Za-z0-9]{32,64}"),
    token("deno-token", &["ddp_", "ddw_"], r"dd[pw]_[A-Za-z0-9]{36}\b"),
    token("expo-token", &["expo_"], r"expo_[A-Za-z0-9_-]{36,44}"),
    token(
        "stytch-secret",
        &["secret-live-", "secret-test-"],
        r"secret-(?:live|test)-[A-Za-z0-9_=-]{30,60}",
    ),
    token(
        "razorpay-key",
        &["rzp_live_", "rzp_test_"],
        r"rzp_(?:live|test)_[A-Za-z0-9]{14,20}\b",
    ),
    token(
        "upstash-token",
        &["upstash"],
        r"(?i)upstash[ -~\s]{0,60}?token.{0,8}?([A-Za-z0-9_-]{40,100}={0,2})",
    ),
    token(
        "turnstile-secret",
        &["0x4aaa"],
        r"0x4AAAA[A-Za-z0-9_-]{28,40}",
    ),
    token(
        "recaptcha-secret",
        &["6ld", "6le", "6lf", "6lc"],
        r"6L[c-f][A-Za-z0-9_-]{5}AAAAA[A-Za-z0-9_-]{27}\b",
    ),
    token("notion-token", &["secret_"], r"secret_[A-Za-z0-9]{43}\b"),
    token("alibaba-key", &["ltai"], r"LTAI[A-Za-z0-9]{12,20}\b"),
    token("tencent-key", &["akid"], r"AKID[A-Za-z0-9]{28,34}\b"),
    Rule {
        id: "azure-client-secret",
        keywords: &[
            "0q~", "1q~", "2q~", "3q~", "4q~", "5q~", "6q~", "7q~", "8q~", "9q~",
        ],
        finder: Finder::Code(structures::azure_secret),
        ..CONTEXT
    },
    Rule {
        id: "azure-devops-token",
        keywords: &["azdo"],
        finder: Finder::Code(structures::azure_devops),
        ..CONTEXT
    },
    Rule {
        id: "terraform-token",
        keywords: &[".atlasv1."],
        finder: Finder::Code(structures::atlas_token),
        ..CONTEXT
    },
    Rule {
        id: "mailchimp-key",
        keywords: &[
            "-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9",
        ],
        finder: Finder::Code(structures::mailchimp),
        ..CONTEXT
    },
    beside(
        "twitter-token",
        &["twitter", "x_bearer"],
        r"(?is:twitter|x_bearer).{0,40}?(A{18,24}[A-Za-z0-9%]{60,120})",
    ),
    // Only where a run of them starts: every letter of a long one would start another.
    Rule {
        before: Before::RunStart,
        ..beside(
            "twitter-token",
            &["aaaaaaaaaaaaaaaaaaaaa"],
            r"A{18,24}[A-Za-z0-9%]{60,120}",
        )
    },
    beside(
        "okta-token",
        &["okta", "ssws"],
        r"(?is)(?:okta.{0,40}?|ssws\s)(00[A-Za-z0-9_-]{40})(?:[^A-Za-z0-9_-]|\z)",
    ),
    beside(
        "datadog-key",
        &["datadog", "dd_a", "dd-api-key", "dd-application-key"],
        concat!(
            r"(?i:datadog|dd)[A-Za-z_-]{0,24}",
            assigned!(),
            r"([a-f0-9]{40}|[a-f0-9]{32})\b"
        ),
    ),
    beside(
        "twilio-key",
        &["twilio"],
        concat!(
            r"(?i:twilio)[A-Za-z_-]{0,20}",
            assigned!(),
            r"([a-f0-9]{32})\b"
        ),
    ),
    Rule {
        likeness: Likeness::Any,
        needs: |text| has_run(text, 32),
        ..beside(
            "named-uuid",
            &[
                "snyk_token",
                "snyk_api",
                "splunk",
                "hec_token",
                "sendbird",
                "kucoin",
                "codacy",
                "postmark",
                "x-postmark",
                "pagerduty",
                "opsgenie",
                "geniekey",
                "railway_token",
                "linode",
                "vultr",
                "mixpanel",
                "segment_write",
                "branch_key",
                "nexmo",
                "heroku_api",
                "algolia",
                "fastly",
                "travis",
                "codecov",
                "coveralls",
                "lokalise",
                "rollbar",
                "bugsnag",
                "honeybadger",
                "appdynamics",
                "logdna",
                "loggly",
                "mailjet",
                "sparkpost",
                "plivo",
                "sinch",
                "vonage",
                "adyen",
                "checkout_secret",
                "braintree",
                "mollie",
                "bitly",
                "cohere",
                "mistral",
                "deepgram",
                "elevenlabs",
                "xi-api-key",
                "together",
                "stability",
                "runpod",
                "lambda_labs",
                "modal_token",
                "zilliz",
                "qdrant",
                "weaviate",
            ],
            concat!(
                r"[A-Za-z_ -]{4,40}",
                assigned!(),
                r"(?:(?i:bearer|token|geniekey)\s)?([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[a-z0-9]{32,64}|[A-Za-z0-9]{32,64})(?:[^A-Za-z0-9]|\z)"
            ),
        )
    },
    token(
        "otp-secret",
        &["otpauth://"],
        r"otpauth://[^\s?]{1,200}\?[^\s]{0,200}?secret=([A-Za-z2-7]{16,128})",
    ),
];
