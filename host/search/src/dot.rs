//! Dot product kernels: one int16 vector with many int8 rows (AVX-512, AVX2 and portable). They call the multiply-add
//! instruction explicitly: auto-vectorised loops take twice as long.

#[cfg(all(target_arch = "x86_64", feature = "sentence-models"))]
use pulp::x86::{V3, V4};

/// Calls `give` with the dot product of each row and `with`, in the order of the rows.
pub(crate) fn dot_each<'a>(
    rows: impl Iterator<Item = &'a [i8]>,
    with: &[i16],
    mut give: impl FnMut(i32),
) {
    #[cfg(all(target_arch = "x86_64", feature = "sentence-models"))]
    match pulp::Arch::new() {
        pulp::Arch::V4(simd) => {
            return simd.vectorize(|| rows.for_each(|row| give(avx512(simd, row, with))));
        }
        pulp::Arch::V3(simd) => {
            return simd.vectorize(|| rows.for_each(|row| give(avx2(simd, row, with))));
        }
        _ => {}
    }
    rows.for_each(|row| give(portable(row, with)));
}

#[inline(always)]
fn portable(left: &[i8], right: &[i16]) -> i32 {
    let pairs = left.iter().zip(right);
    pairs
        .map(|(left, right)| i32::from(*left) * i32::from(*right))
        .sum()
}

#[cfg(all(target_arch = "x86_64", feature = "sentence-models"))]
#[inline(always)]
fn avx2(simd: V3, left: &[i8], right: &[i16]) -> i32 {
    let (left, left_rest) = left.as_chunks::<16>();
    let (right, right_rest) = right.as_chunks::<16>();
    let mut sums = simd.avx._mm256_setzero_si256();
    for (left, right) in left.iter().zip(right) {
        let left = simd.avx2._mm256_cvtepi8_epi16(pulp::cast(*left));
        let products = simd.avx2._mm256_madd_epi16(left, pulp::cast(*right));
        sums = simd.avx2._mm256_add_epi32(sums, products);
    }
    let sums: [i32; 8] = pulp::cast(sums);
    sums.iter().sum::<i32>() + portable(left_rest, right_rest)
}

#[cfg(all(target_arch = "x86_64", feature = "sentence-models"))]
#[inline(always)]
fn avx512(simd: V4, left: &[i8], right: &[i16]) -> i32 {
    let (left, left_rest) = left.as_chunks::<32>();
    let (right, right_rest) = right.as_chunks::<32>();
    let mut sums = simd.avx512f._mm512_setzero_si512();
    for (left, right) in left.iter().zip(right) {
        let left = simd.avx512bw._mm512_cvtepi8_epi16(pulp::cast(*left));
        let products = simd.avx512bw._mm512_madd_epi16(left, pulp::cast(*right));
        sums = simd.avx512f._mm512_add_epi32(sums, products);
    }
    let sums: [i32; 16] = pulp::cast(sums);
    sums.iter().sum::<i32>() + portable(left_rest, right_rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_gives_the_same_product() {
        for length in (0..=70).chain([384, 1000]) {
            let left: Vec<i8> = (0..length)
                .map(|place| (place * 37 % 256) as u8 as i8)
                .collect();
            let right: Vec<i16> = (0..length)
                .map(|place| (place * 53 % 255) as i16 - 127)
                .collect();
            let pairs = left.iter().zip(&right);
            let expected: i64 = pairs
                .map(|(left, right)| i64::from(*left) * i64::from(*right))
                .sum();
            let check = |product: i32| assert_eq!(i64::from(product), expected, "{length}");
            check(portable(&left, &right));
            #[cfg(all(target_arch = "x86_64", feature = "sentence-models"))]
            {
                V3::try_new()
                    .map(|simd| avx2(simd, &left, &right))
                    .map(check);
                V4::try_new()
                    .map(|simd| avx512(simd, &left, &right))
                    .map(check);
            }
            let mut products = Vec::new();
            let rows = [left.as_slice(), &left].into_iter();
            dot_each(rows, &right, |product| products.push(product));
            assert_eq!(products.len(), 2);
            products.into_iter().for_each(check);
        }
    }
}
