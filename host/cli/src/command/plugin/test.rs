//! `acreta plugin test`.

use acreta_service::Failure;
use acreta_service::plugins::try_out::{self, Replayed, Tried, TryOut};

use crate::args::TestArguments;
use crate::context::Context;
use crate::output::{count, json, line, talk};
use crate::progress::Terminal;

pub(super) fn test(arguments: &TestArguments, context: &Context) -> Result<(), Failure> {
    let progress = Terminal::new();
    progress.say("compiling, once; then it is cached");
    if let Some(name) = &arguments.record {
        let input = arguments.input.as_deref();
        let recorded = try_out::record_cases(&arguments.plugin, name, input, context);
        progress.done();
        for case in recorded? {
            let calls = count(case.calls, "call", "calls");
            line(&format!("recorded  {} ({calls})", case.case));
        }
        return Ok(());
    }
    let request = TryOut {
        plugin: arguments.plugin.clone(),
        only_replay: arguments.replay,
    };
    let tried = try_out::try_out(&request, context);
    progress.done();
    let tried = tried?;
    match context.json {
        true => json(&tried),
        false => print(&tried),
    }
    match tried.failed() {
        0 => Ok(()),
        failed => Err(Failure::saying(format!(
            "{} failed",
            count(failed as u64, "check", "checks")
        ))),
    }
}

pub(super) fn print(tried: &Tried) {
    let report = tried.conformance.as_ref().map(ToString::to_string);
    for text in report.unwrap_or_default().lines() {
        line(text);
    }
    for played in &tried.cases {
        let name = &played.case;
        match &played.result {
            Some(Replayed::Same { lines }) => {
                let calls = count(*lines as u64, "call", "calls");
                line(&format!("ok    case {name}: {calls}, byte for byte"));
            }
            Some(Replayed::Different(difference)) => {
                line(&format!("FAIL  case {name}"));
                for text in difference.to_string().lines() {
                    line(&format!("      {text}"));
                }
            }
            None => talk(&format!(
                "case {name} is not recorded: `acreta plugin test --record {name}`"
            )),
        }
    }
}
