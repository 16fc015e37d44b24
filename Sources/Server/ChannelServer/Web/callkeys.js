// The keys of a call that is encrypted between the ends (docs/encryption.md, "Calls"): X25519 (RFC 7748) and
// HKDF-SHA256 (RFC 5869). The same as Sources/Calls/CallAPI/CallKeys.swift.

import { big, derive, joined, utf8 } from './bytes.js'

const exchange = 'X25519'

const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16))

const number = (value) => big(BigInt(value), 8)

const text = (value) => {
  const bytes = utf8.encode(value)
  return joined(number(bytes.length), bytes)
}

/** `{ privateKey, publicKey }`, the latter as 64 hexadecimal digits; null where browsers cannot: not secure, or too old. */
export async function makeKeyPair() {
  // Without it there is no use for keys.
  if (!globalThis.RTCRtpScriptTransform) return null
  try {
    const { privateKey, publicKey } = await crypto.subtle.generateKey(exchange, false, ['deriveBits'])
    const bytes = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
    return { privateKey, publicKey: hexadecimal(bytes) }
  } catch {
    return null
  }
}

/**
 * What both sides compute: `{ media, authenticationText }`, the key of the call's channel and 12 digits that are equal if
 * nobody stands between. Null if the other side's key is none.
 */
export async function agree(own, peerPublicKey, { isCaller, userID, peer, callID, room }) {
  try {
    const peerKey = await crypto.subtle.importKey('raw', bytesOf(peerPublicKey), exchange, false, [])
    const shared = await crypto.subtle.deriveBits({ name: exchange, public: peerKey }, own.privateKey, 256)
    const [caller, callee] = isCaller ? [userID, peer] : [peer, userID]
    const keys = [own.publicKey, peerPublicKey].map(bytesOf)
    const context = joined(
      number(caller), number(callee), text(callID), text(room), ...(isCaller ? keys : keys.reverse()))
    const follow = (label, count) => derive(shared, joined(utf8.encode(label), context), count)
    const digits = await follow('Greenroom call authentication ', 8)
    return {
      media: hexadecimal(await follow('Greenroom call media ', 32)), authenticationText: groups(digits),
    }
  } catch {
    return null
  }
}

/**
 * What this side's keys and the other's give, as `CallStateMachine.receive` takes it; null if they give nothing. `context` is
 * what the machine says of the message that the key came with (`contextOfKeys`); `make` makes keys.
 */
export async function agreementFor(context, peerPublicKey, make = makeKeyPair) {
  const keyPair = context.keyPair ?? await make()
  const keys = keyPair && await agree(keyPair, peerPublicKey, context)
  return keys && { ...keys, keyPair, callID: context.callID }
}

/** Three groups of four digits. */
function groups(bytes) {
  const value = new DataView(bytes.buffer).getBigUint64(0) % 1_000_000_000_000n
  return value.toString().padStart(12, '0').match(/.{4}/g).join(' ')
}
