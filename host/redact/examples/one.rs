use std::io::Read;
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let r = acreta_redact::Redactor::new(&[]).unwrap();
    for line in text.lines() {
        let line = line.replace("⏎", "\n");
        println!(
            "{:?} {:?}",
            r.redact(&line).text,
            r.find(&line).iter().map(|f| f.rule).collect::<Vec<_>>()
        );
    }
}
