// Bytes, and keys from them: what callkeys.js and sframe.js both need.

export const utf8 = new TextEncoder()

/** Several arrays of bytes, one behind the other. */
export function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

/** A BigInt as so many bytes, the highest first. */
export function big(value, length) {
  const bytes = new Uint8Array(length)
  for (let place = length - 1; place >= 0; place--, value >>= 8n) bytes[place] = Number(value & 0xffn)
  return bytes
}

/** HKDF-SHA256 (RFC 5869) with an empty salt, extraction and expansion. */
export async function derive(material, info, count) {
  const key = await crypto.subtle.importKey('raw', material, 'HKDF', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }, key, 8 * count)
  return new Uint8Array(bits)
}
