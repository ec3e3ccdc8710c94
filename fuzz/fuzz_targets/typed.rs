#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| acreta_fuzzing::typed(data));
