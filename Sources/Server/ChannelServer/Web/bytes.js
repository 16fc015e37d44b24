// Bytes, and names and keys from them.

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

/** A random UUID (RFC 9562 section 5.4). `crypto.randomUUID` is there on secure pages only. */
export function randomUUID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = bytes[6] & 0x0f | 0x40
  bytes[8] = bytes[8] & 0x3f | 0x80
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** HKDF-SHA256 (RFC 5869) with an empty salt, extraction and expansion. */
export async function derive(material, info, count) {
  const key = await crypto.subtle.importKey('raw', material, 'HKDF', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }, key, 8 * count)
  return new Uint8Array(bits)
}
