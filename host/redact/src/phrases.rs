//! Recovery phrases of wallets: twelve to twenty-four words of BIP 39's English list, in a row, numbered, in a list or
//! in a table. Searched for near a word that announces one, and in numbered lists with twelve entries.

use std::ops::Range;

use crate::view::RangeSink;

/// Search distance before and after the keyword.
const BEFORE: usize = 400;
const AFTER: usize = 700;

/// Minimum number of words of a phrase.
const LEAST: usize = 12;

/// Finds every phrase around a keyword.
pub(crate) fn phrases(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let from = text.floor_char_boundary(keyword.start.saturating_sub(BEFORE));
    let to = text.ceil_char_boundary((keyword.end + AFTER).min(text.len()));
    let bytes = text.as_bytes();
    // Every long list has a twelfth entry: in a phrase, a known word is next to the number.
    let is_number =
        bytes[keyword.clone()].contains(&b'2') && !bytes[keyword.start].is_ascii_alphabetic();
    if is_number && !is_beside(bytes, &keyword) {
        return;
    }
    let mut at = from;
    let mut start = from;
    let mut end = from;
    let mut count = 0;
    while at < to {
        let length = bytes[at..to]
            .iter()
            .take_while(|it| it.is_ascii_alphabetic())
            .count();
        let word = &text[at..at + length];
        // The letter of `
        // ` does not start a word.
        let lead =
            usize::from(at > 0 && bytes[at - 1] == b'\\' && word.starts_with(['n', 't', 'r']));
        let word = &word[lead.min(word.len())..];
        if (3..=8).contains(&word.len()) && is_known(word) {
            if count == 0 {
                start = at + lead;
            }
            count += 1;
            end = at + length;
        } else if !word.is_empty() {
            tell(count, start..end, found);
            count = 0;
        }
        at += length;
        let gap = gap(&bytes[at..to]);
        if gap == 0 {
            tell(count, start..end, found);
            count = 0;
            // To the next word.
            at = text.ceil_char_boundary(at + 1);
        }
        at += gap;
    }
    tell(count, start..end, found);
}

/// Reports whether the word before or after a number is known.
fn is_beside(bytes: &[u8], number: &Range<usize>) -> bool {
    let is_letter = |it: &&u8| it.is_ascii_alphabetic();
    let after = &bytes[number.end..(number.end + 48).min(bytes.len())];
    let after = &after[after.len() - after.iter().skip_while(|it| !is_letter(it)).count()..];
    let after = &after[..after.iter().take_while(is_letter).count()];
    let before = &bytes[number.start.saturating_sub(48)..number.start];
    let before = &before[..before.iter().rev().skip_while(|it| !is_letter(it)).count()];
    let before = &before[before.len() - before.iter().rev().take_while(is_letter).count()..];
    [before, after, after.get(1..).unwrap_or_default()]
        .into_iter()
        .any(|word| (3..=8).contains(&word.len()) && std::str::from_utf8(word).is_ok_and(is_known))
}

fn tell(count: usize, span: Range<usize>, found: RangeSink<'_>) {
    if count >= LEAST {
        found(span);
    }
}

/// Returns the length of the separator between two words of a phrase: spaces, numbers, punctuation of lists and tables.
fn gap(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < 48 {
        at += match &bytes[at.min(bytes.len())..] {
            [b'\\', b'n' | b't' | b'r', ..] => 2,
            [it, ..]
                if it.is_ascii_whitespace()
                    || it.is_ascii_digit()
                    || b",.;:)(|-*\"'`\\_#[]".contains(it) =>
            {
                1
            }
            [0xe2, 0x94 | 0x95, _, ..] => 3,
            _ => break,
        };
    }
    at
}

/// Reports whether a word is on the list. Three bits represent each word (a Bloom filter): one other word in thirty
/// passes, but never twelve in a row.
fn is_known(word: &str) -> bool {
    let mut hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    });
    (0..3).all(|_| {
        hash = hash.wrapping_mul(0x9e37_79b1);
        let bit = (hash >> 18) as usize;
        LIST[bit / 64] >> (bit % 64) & 1 == 1
    })
}

#[rustfmt::skip]
const LIST: [u64; 256] = [
    0x403c_1595_4090_006a, 0xba45_6201_8823_1027, 0x0461_5039_1d91_4100, 0x205c_42ca_0900_8806,
    0x0b6e_415a_b840_7cc6, 0x1a1d_481b_1003_132a, 0x27c1_8422_0152_4163, 0xe21a_78d3_2210_2826,
    0x1406_4620_9240_a448, 0x1432_1a10_551a_60c3, 0x0603_188b_4eab_438a, 0x0d4c_1f3d_520c_0000,
    0x0192_c200_02a4_0268, 0x20cc_3901_3088_10c1, 0x46a0_4300_e106_b020, 0x119a_0023_6080_6210,
    0x278e_8810_06a4_cb82, 0x7668_1225_8687_e401, 0x849b_8140_2762_e004, 0x00e2_41a5_8bd0_018d,
    0xa0d0_4c63_02a0_0122, 0x34a0_28a1_31c8_4354, 0x2480_58c1_0004_c980, 0xc2e8_ac90_1543_7e78,
    0x00c2_4c19_1348_84e0, 0xa288_89bc_f041_410e, 0x3380_28c8_6202_0135, 0x4094_0044_3b3b_5360,
    0xc21d_60c0_8c86_9aa4, 0x1578_82e0_40d0_6649, 0xa17c_0085_2162_c84c, 0x1210_514c_1862_5754,
    0x06e0_8015_c640_0b0c, 0x2e4c_094c_9005_4014, 0x2c0f_0c52_3a28_0320, 0xe088_2c04_60a2_1408,
    0x2c16_8652_8128_08b0, 0x2420_d400_8414_9c02, 0x0040_020b_110b_6668, 0x2a02_b001_62c0_48a0,
    0x4810_490c_2144_04cc, 0x8240_0100_2520_13a4, 0x2800_2442_3d02_6800, 0x0080_f004_8510_009b,
    0x8308_0500_e01f_880c, 0x82e1_80c4_0e81_1718, 0x2b00_a0be_2e03_8869, 0x0110_2020_0420_03b0,
    0xc880_9201_d863_0400, 0xa004_3590_428a_c440, 0x0199_0948_6486_4082, 0xe6a2_6000_0052_051b,
    0x2042_0c98_828b_9193, 0x140e_1d08_39c2_8426, 0x1814_4480_0c07_160a, 0x6c85_8208_8088_2300,
    0xf134_8c16_5b28_e0c0, 0x8280_6145_c020_02c0, 0x0605_e8af_28ac_4d38, 0x1060_0524_03c2_0404,
    0x864c_a411_1408_6248, 0x2080_342e_09a6_0402, 0x000a_2020_847a_e904, 0x4208_0000_8a04_f841,
    0x0512_4701_2920_35b9, 0x0c09_0489_8942_3801, 0x1722_89eb_00c9_2008, 0x4f06_0a19_0464_2091,
    0x0e07_d516_0820_a8c3, 0xe8bc_0980_c80c_49a3, 0x105c_a045_301a_8400, 0x0601_c4d4_2908_5dd0,
    0x4af2_806f_1028_390e, 0xa093_8050_5484_4216, 0x40c0_8644_1ca3_004b, 0xf843_a864_5b80_2100,
    0x6ba4_8509_1683_1790, 0x0405_d831_a0ff_1500, 0x4418_0026_2d80_0200, 0xc758_d340_0dca_8839,
    0x2801_0c75_616b_8c52, 0x014a_991b_4203_4a29, 0xb428_09d0_6037_1012, 0xfa9a_0190_5041_e211,
    0x23d2_88b6_0100_1b80, 0x403a_0c26_0023_0060, 0x081c_3002_8a00_3cab, 0x2f00_c026_4088_0704,
    0x5201_a423_873c_5408, 0x0000_279c_8009_3090, 0x2802_1000_311e_0191, 0x0564_0103_8000_a905,
    0xcce0_88e1_9830_4722, 0x8036_8eb5_8000_0244, 0x0a75_2ac0_02b1_30a0, 0xbf01_3008_3608_430a,
    0x4620_1c02_3351_6b48, 0x8708_0093_5292_1005, 0x4008_aa84_3b50_2550, 0x4501_0014_621d_03ba,
    0x2c24_0225_5000_cee6, 0x9009_1800_4a00_5688, 0x1242_1689_8084_02c8, 0x0504_1a48_68a5_0300,
    0x020c_0082_1160_190a, 0x204e_4a10_401a_96c6, 0x40a6_88b5_5317_61ba, 0x2610_88a5_0361_0e87,
    0x9090_12c4_8d49_4200, 0xb280_42a3_5c02_de0a, 0x1400_3018_8d20_9205, 0x99b4_0820_000c_d510,
    0x8505_4111_0014_5717, 0x4827_a004_542a_0004, 0x201d_698e_0cc0_8305, 0x4002_a228_501c_00ae,
    0x3020_52d4_048e_55c4, 0x680b_0180_894f_8010, 0xe205_06c0_8012_6c92, 0x4167_3611_8f00_0910,
    0x0118_5101_1540_a201, 0x4106_7627_800a_0284, 0x2008_a222_1c1c_00a8, 0xd009_6153_aa42_4a63,
    0x0490_bb08_0154_2362, 0x1a84_2141_7703_1140, 0x00a0_c4d0_3289_9384, 0x0824_8248_4920_5871,
    0x2c42_2008_9900_ca20, 0x0180_4040_2113_4000, 0x59a8_c240_3891_34a6, 0x1409_1808_8001_d047,
    0xa002_405c_1650_861c, 0xa181_c051_6218_2108, 0xc128_0002_a500_93e0, 0x0000_4960_0f45_2129,
    0x1006_2280_a8ba_d456, 0x1247_8081_88aa_8682, 0x640a_7903_4045_1241, 0x6e3a_b785_1971_8d85,
    0x9281_614c_4060_a981, 0x0240_884c_1048_4321, 0x005a_2232_a118_8013, 0x3b20_4428_8100_508a,
    0x8235_1827_2c92_c210, 0x81e2_2456_368a_b572, 0xc014_3006_3322_08e0, 0xe863_8c30_85a2_1d2c,
    0xd928_8323_d246_0006, 0x1e10_0e10_cc24_8ab3, 0xc402_0a13_2022_0201, 0xa008_84a6_0d06_4380,
    0x39a0_891e_ca05_16a1, 0x42bf_c8e4_4461_4c00, 0x2747_c170_9272_a0f0, 0xa586_ce81_20dd_b030,
    0x42cc_06e4_4960_1604, 0xf940_4403_a7bb_3808, 0x23c0_1440_21a2_0132, 0x0104_81dc_cc4c_0860,
    0x0a0c_2600_89c0_b048, 0x5070_4000_0098_2435, 0x3372_a303_0b84_0005, 0x901c_0d42_0244_800c,
    0x2c90_aa95_0b07_4685, 0x2608_24ae_188a_cd0b, 0xe099_4c51_4d0d_5051, 0x40fa_0409_9c20_0095,
    0x604b_4181_0010_a068, 0xa0ba_8681_cc82_8c20, 0x4044_0312_c481_1d00, 0xb091_cde1_4207_64c0,
    0x0326_0806_f510_0840, 0x57a1_9901_a110_0821, 0x2900_90b4_63e2_390e, 0x2126_002a_740a_c252,
    0xe110_4126_002c_0b64, 0xf14a_c015_e808_a120, 0x2273_7c50_0002_0541, 0x00d1_4433_c0e8_22c8,
    0x5848_4003_d447_63c3, 0x4a0c_50e2_4118_8190, 0x00a2_7cc8_0029_4911, 0x08a1_6e80_5000_5326,
    0x8881_0212_8442_c400, 0x0168_0050_1184_6443, 0x08bb_0852_a130_3a86, 0xe101_8538_a420_0908,
    0x1320_8ccc_6402_b030, 0xc0e3_0031_5a93_c186, 0x0184_2500_e99f_8500, 0x0416_905a_045a_7e88,
    0x22a8_d880_a903_08b8, 0x4150_146d_0280_8000, 0xd9a0_0789_0604_4815, 0x0084_8f88_3414_8484,
    0x8800_8811_342b_0b84, 0x54a8_0698_954c_0200, 0x15c0_0864_8088_8644, 0x1a8c_0b20_2a48_082c,
    0xf052_0268_22c4_1d03, 0xe823_0854_50f4_0110, 0xc060_21a1_2400_6060, 0x2500_3903_0a01_50a5,
    0xc140_0891_f019_0541, 0x3454_240c_611c_8304, 0x503e_3b85_4264_1006, 0x2413_1251_b19a_0020,
    0x40aa_4508_2a18_5bc2, 0x5382_014d_02da_8640, 0x8063_76a6_60d0_d24c, 0x2197_0628_410f_8e22,
    0x4045_3b10_2808_c226, 0x8720_a860_e001_4142, 0x0455_0051_0541_6420, 0x2005_11a4_8930_3210,
    0x0601_0633_3814_1013, 0xd9ca_4210_826c_2909, 0x001b_2b36_874a_cc46, 0x5211_5804_8091_9410,
    0x983d_3202_511b_e834, 0xa20c_04e9_1940_1005, 0xb500_4584_5043_0106, 0x5342_1a94_002a_0248,
    0xa450_20f7_9028_1442, 0x3351_0580_2802_00ac, 0xee82_2002_60a4_322a, 0xe210_1701_1fd6_468c,
    0xcda1_f8a6_2500_262c, 0x180c_004b_1864_b010, 0x8112_b169_c00c_4801, 0xc454_8be5_4c31_130b,
    0x4069_0853_46c8_4200, 0x8961_448c_0c00_2bd1, 0x0248_011d_d306_bee1, 0x0204_84b8_018f_80d9,
    0x1186_49a2_820a_3336, 0x0080_e417_1580_2090, 0x9020_f500_140f_4e1a, 0x4088_0f32_408c_4112,
    0x330a_42e2_0329_0780, 0x6701_d348_0a47_c141, 0x415d_aeb9_4021_1841, 0x1102_2650_88a2_0000,
    0x4810_5200_3422_d719, 0xe272_a213_8409_01e2, 0xa92f_5920_d8a1_5000, 0x94ca_a144_d033_0630,
    0x002b_9ac0_9d0c_a175, 0xc801_3604_00a8_0292, 0x0900_9216_5c61_3a92, 0x04c3_59c4_6830_89a8,
    0xbba0_6801_c821_00a0, 0x90c5_2884_a105_e03a, 0xd955_17f2_4844_0880, 0x1a80_8009_0012_ae9c,
];
