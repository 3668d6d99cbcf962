//! The small net in a weight file: a flag, then the tables of [`NetWeights`] in order, lines by
//! their distance from the one before in 24 bits.

use super::tuned::{Reader, WeightError};
use crate::pattern::line::LINE_COUNT;
use crate::pattern::net::{
    BIAS_LIMIT, CHANNELS, HIDDEN, LANES, LAYER_LIMIT, NetWeights, ROW_LIMIT,
};

/// Writes a net, or that there is none.
pub(super) fn write(net: Option<&NetWeights>, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&u16::from(net.is_some()).to_le_bytes());
    let Some(net) = net else { return };
    let mut short = |values: &[i16]| {
        for value in values {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
    };
    net.pairs.iter().for_each(|row| short(row));
    short(&net.bias);
    net.hidden.iter().for_each(|row| short(row));
    short(&net.direct);
    for value in net.hidden_bias.iter().chain(&net.output) {
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    bytes.extend_from_slice(&(net.lines.len() as u32).to_le_bytes());
    let mut last = 0;
    for (index, row) in &net.lines {
        bytes.extend_from_slice(&(index - last).to_le_bytes()[..3]);
        last = *index;
        bytes.extend(row.iter().map(|value| *value as u8));
    }
}

const OUT_OF_RANGE: WeightError = WeightError("a number of the net is out of range");

/// Reads what [`write`] wrote.
pub(super) fn read(reader: &mut Reader) -> Result<Option<NetWeights>, WeightError> {
    if reader.u16()? == 0 {
        return Ok(None);
    }
    let mut short = |limit: i16| {
        let value = reader.array().map(i16::from_le_bytes)?;
        let fits = value.unsigned_abs() <= limit.unsigned_abs();
        fits.then_some(value).ok_or(OUT_OF_RANGE)
    };
    let mut pairs = vec![[0; CHANNELS]; 256];
    for value in pairs.iter_mut().flatten() {
        *value = short(ROW_LIMIT)?;
    }
    let mut bias = [0; CHANNELS];
    for value in &mut bias {
        *value = short(ROW_LIMIT)?;
    }
    let mut hidden = vec![[0; LANES]; HIDDEN];
    for value in hidden.iter_mut().flatten() {
        *value = short(LAYER_LIMIT)?;
    }
    let mut direct = [0; LANES];
    for value in &mut direct {
        *value = short(LAYER_LIMIT)?;
    }
    let (mut hidden_bias, mut output) = ([0; HIDDEN], [0; HIDDEN]);
    for value in hidden_bias.iter_mut().chain(&mut output) {
        *value = reader.array().map(i32::from_le_bytes)?;
        if value.unsigned_abs() > BIAS_LIMIT.unsigned_abs() {
            return Err(OUT_OF_RANGE);
        }
    }
    let (mut lines, mut index) = (Vec::new(), 0);
    for _ in 0..reader.u32()? {
        let [low, middle, high] = reader.array()?;
        index += u32::from_le_bytes([low, middle, high, 0]);
        if index as usize >= LINE_COUNT {
            return Err(OUT_OF_RANGE);
        }
        let row: [u8; CHANNELS] = reader.array()?;
        lines.push((index, row.map(|byte| byte as i8)));
    }
    Ok(Some(NetWeights {
        pairs,
        lines,
        bias,
        hidden,
        hidden_bias,
        output,
        direct,
    }))
}
