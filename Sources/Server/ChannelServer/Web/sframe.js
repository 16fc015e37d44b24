// Frames that are encrypted between the ends: SFrame (RFC 9605) with AES_128_GCM_SHA256_128 over whole pictures of VP8 and
// packets of Opus, as docs/encryption.md describes. The same as Sources/Protocols/SFrame.

import { big, derive, joined, utf8 } from './bytes.js'

const cipherSuite = 4
const stepBits = 4n
const tagLength = 16
const framesPerKey = 1 << 24
const keyFrameLength = 10
const audioMarker = 0x1b
const maximumGenerations = 4
const maximumRetired = 64
const windowSize = 1024n
const trialBurst = 32
const trialsPerSecond = 16

/** What a frame is; authenticated with it. */
const kinds = { video: 1, audio: 2 }

const startCodes = { plain: [0x9d, 0x01, 0x2a], encrypted: [0x53, 0x46, 0x31] }

/** The first base key of one generation of a sender's keys. */
const baseKeyOf = (secret, channel, uid, generation) => derive(
  utf8.encode(secret),
  joined(utf8.encode('Greenroom SFrame sender '), big(BigInt(uid), 8), big(generation, 8), utf8.encode(channel)), 32)

/** The next step of the ratchet (section 5.1). */
const ratchet = (baseKey) => derive(baseKey, utf8.encode('SFrame 1.0 Ratchet'), 32)

/** The key and salt of a KID (section 4.4.2). */
async function makeKey(baseKey, keyID, usage) {
  const label = (text) => joined(utf8.encode(text), big(keyID, 8), big(BigInt(cipherSuite), 2))
  const key = await derive(baseKey, label('SFrame 1.0 Secret key '), 16)
  const salt = await derive(baseKey, label('SFrame 1.0 Secret salt '), 12)
  return { key: await crypto.subtle.importKey('raw', key, 'AES-GCM', false, [usage]), salt }
}

/** Section 4.4.3: the salt, exclusive or the counter. */
function parameters({ salt }, counter, associated) {
  const iv = big(counter, 12)
  for (let place = 0; place < 12; place++) iv[place] ^= salt[place]
  return { name: 'AES-GCM', iv, additionalData: associated, tagLength: 8 * tagLength }
}

const lengthOf = (value) => {
  let length = 1
  while (value >> BigInt(8 * length) > 0n) length += 1
  return length
}

/** Section 4.3: each value in the shortest way. */
function makeHeader(keyID, counter) {
  const field = (value) => value < 8n ? [Number(value), []] : [0x8 | (lengthOf(value) - 1), big(value, lengthOf(value))]
  const [[keyBits, keyBytes], [counterBits, counterBytes]] = [field(keyID), field(counter)]
  return Uint8Array.from([keyBits << 4 | counterBits, ...keyBytes, ...counterBytes])
}

/** `{ keyID, counter, length }`, or null. */
function readHeader(bytes) {
  if (bytes.length === 0) return null
  let offset = 1
  const field = (bits) => {
    if (!(bits & 0x8)) return BigInt(bits & 0x7)
    const end = offset + (bits & 0x7) + 1
    let value = 0n
    for (; offset < end; offset++) value = value << 8n | BigInt(bytes[offset] ?? 0)
    return value
  }
  const [keyID, counter] = [field(bytes[0] >> 4), field(bytes[0] & 0xf)]
  return offset <= bytes.length ? { keyID, counter, length: offset } : null
}

function withStartCode(bytes, code) {
  if (bytes.length !== keyFrameLength) return bytes
  const changed = bytes.slice()
  changed.set(code, 3)
  return changed
}

/** What of a frame stays in the clear (RFC 6386 section 9.1: frame tag and size of a key frame); null if it is none. */
function clearLength(kind, frame) {
  if (kind === kinds.audio) return 0
  if (frame.length === 0) return null
  if (frame[0] & 1) return 1
  return frame.length >= keyFrameLength ? keyFrameLength : null
}

/** How much stands before the header of an encrypted frame; null if it is not encrypted. */
function prefixLength(kind, bytes) {
  if (bytes.length === 0) return null
  if (kind === kinds.audio) return bytes[0] === audioMarker ? 1 : null
  if (bytes[0] & 1) return 1
  return bytes.length >= keyFrameLength && startCodes.encrypted.every((byte, place) => bytes[3 + place] === byte)
    ? keyFrameLength : null
}

/** Encrypts what user `uid` sends in a channel, all tracks with one key and one counter. */
export class FrameEncryptor {
  #secret
  #channel
  #uid
  #keyID = 0n
  #counter = 0n
  #key = null

  constructor(secret, channel, uid) {
    this.#secret = secret
    this.#channel = channel
    this.#uid = uid
    this.#key = this.#begin()
  }

  /** A generation of random bits, the highest set: no key is used twice, whatever this user has sent before. */
  #begin() {
    const random = crypto.getRandomValues(new BigUint64Array(1))[0]
    const generation = random >> stepBits | 1n << 59n
    this.#keyID = generation << stepBits
    this.#counter = 0n
    return baseKeyOf(this.#secret, this.#channel, this.#uid, generation)
      .then((baseKey) => makeKey(baseKey, this.#keyID, 'encrypt'))
  }

  /** The encrypted form of a frame; null if it is none. */
  async encrypt(frame, kindName) {
    const kind = kinds[kindName]
    const clear = clearLength(kind, frame)
    if (clear === null) return null
    if (this.#counter >= framesPerKey) this.#key = this.#begin()
    const [keyID, counter, keyed] = [this.#keyID, this.#counter++, this.#key]
    const header = makeHeader(keyID, counter)
    const prefix = kind === kinds.audio
      ? Uint8Array.of(audioMarker) : withStartCode(frame.subarray(0, clear), startCodes.encrypted)
    const associated = joined(header, Uint8Array.of(kind), prefix)
    const key = await keyed
    const sealed = await crypto.subtle.encrypt(parameters(key, counter, associated), key.key, frame.subarray(clear))
    return joined(prefix, header, new Uint8Array(sealed))
  }
}

/** The last 1,024 numbers of one key and kind. */
class ReplayWindow {
  #highest = -1n
  #seen = new Set()

  isFresh(counter) {
    return counter > this.#highest || (counter + windowSize > this.#highest && !this.#seen.has(counter))
  }

  record(counter) {
    this.#seen.add(counter)
    if (counter <= this.#highest) return
    this.#highest = counter
    if (this.#seen.size <= 2 * Number(windowSize)) return
    for (const old of this.#seen) if (old + windowSize <= counter) this.#seen.delete(old)
  }
}

/** Decrypts what one user sends in a channel, whatever keys that user changes to. Frames that come again are refused. */
export class FrameDecryptor {
  #secret
  #channel
  #uid
  /** `{ number, baseKey, keys }`; the last one used comes last. */
  #generations = []
  #retired = []
  #trials = trialBurst
  #trialTime = performance.now()

  constructor(secret, channel, uid) {
    this.#secret = secret
    this.#channel = channel
    this.#uid = uid
  }

  /** The frame of its encrypted form; null if it is not encrypted, comes again, or is of another key. */
  async decrypt(bytes, kindName) {
    const kind = kinds[kindName]
    const prefixEnd = prefixLength(kind, bytes)
    if (prefixEnd === null) return null
    const header = readHeader(bytes.subarray(prefixEnd))
    if (!header) return null
    const textStart = prefixEnd + header.length
    const prefix = bytes.subarray(0, prefixEnd)
    const associated = joined(bytes.subarray(prefixEnd, textStart), Uint8Array.of(kind), prefix)
    const sealed = { counter: header.counter, kind, associated, text: bytes.subarray(textStart) }
    const [generation, step] = [header.keyID >> stepBits, Number(header.keyID & 0xfn)]
    const opened = await this.#open(sealed, generation, step)
    if (!opened) return null
    const head = kind === kinds.video ? withStartCode(prefix, startCodes.plain) : new Uint8Array()
    return joined(head, opened)
  }

  async #open(sealed, number, step) {
    const place = this.#generations.findIndex((generation) => generation.number === number)
    const known = this.#generations[place]
    const key = known?.keys.find((key) => key.step === step)
    if (key) {
      const opened = await tryKey(key, sealed)
      if (opened) this.#use(known)
      return opened
    }
    const newest = known?.keys.at(-1).step ?? 0
    if (known ? step <= newest : this.#retired.includes(number)) return null
    if (!this.#takeTrial()) return null
    let baseKey = known?.baseKey ?? await baseKeyOf(this.#secret, this.#channel, this.#uid, number)
    for (let passed = newest; passed < step; passed++) baseKey = await ratchet(baseKey)
    const keyID = number << stepBits | BigInt(step)
    const next = {
      step, ...await makeKey(baseKey, keyID, 'decrypt'),
      windows: { [kinds.video]: new ReplayWindow(), [kinds.audio]: new ReplayWindow() },
    }
    const opened = await tryKey(next, sealed)
    return opened && this.#keep({ number, baseKey, next }, sealed, opened)
  }

  /** A key is remembered when a frame has proved it; another kind's frame may have done so meanwhile. */
  async #keep({ number, baseKey, next }, sealed, opened) {
    const present = this.#generations.find((generation) => generation.number === number)
    const same = present?.keys.find(({ step }) => step === next.step)
    if (same) return tryKey(same, sealed)
    if (present && present.keys.at(-1).step > next.step) return null
    if (present) this.#generations = this.#generations.filter((generation) => generation !== present)
    else if (this.#generations.length >= maximumGenerations) this.#retired.push(this.#generations.shift().number)
    if (this.#retired.length > maximumRetired) this.#retired.shift()
    this.#generations.push({ number, baseKey, keys: [...(present?.keys.slice(-1) ?? []), next] })
    return opened
  }

  #use(generation) {
    if (this.#generations.at(-1) === generation) return
    this.#generations = [...this.#generations.filter((other) => other !== generation), generation]
  }

  #takeTrial() {
    const now = performance.now()
    this.#trials = Math.min(trialBurst, this.#trials + (now - this.#trialTime) / 1000 * trialsPerSecond)
    this.#trialTime = now
    if (this.#trials < 1) return false
    this.#trials -= 1
    return true
  }
}

async function tryKey({ key, salt, windows }, { counter, kind, associated, text }) {
  if (text.length < tagLength || !windows[kind].isFresh(counter)) return null
  try {
    const opened = await crypto.subtle.decrypt(parameters({ salt }, counter, associated), key, text)
    windows[kind].record(counter)
    return new Uint8Array(opened)
  } catch {
    return null
  }
}
