// Between the codecs of a call's page and the network, on a thread of its own: encrypts what is sent and decrypts what is
// received (RTCRtpScriptTransform). Without a key nothing passes; with one, nothing in the clear does.

import { FrameDecryptor, FrameEncryptor } from './sframe.js'

/** What has to be done with frames now; null before it is known. */
let rule = null
const receivers = new Set()

onmessage = ({ data: { isPlain, secret, channel, uid, peer } }) => {
  rule = isPlain ? { isPlain } : {
    encryptor: new FrameEncryptor(secret, channel, uid), decryptor: new FrameDecryptor(secret, channel, peer),
  }
  // What has been dropped so far is missing to the pictures that come.
  for (const receiver of receivers) receiver.sendKeyFrameRequest?.().catch(() => {})
}

/** Takes a frame as it is to go on, or null to drop it. */
async function pass(frame, { direction, kind }) {
  if (!rule || rule.isPlain) return rule
  const bytes = new Uint8Array(frame.data)
  const changed = direction === 'send'
    ? await rule.encryptor.encrypt(bytes, kind) : await rule.decryptor.decrypt(bytes, kind)
  if (changed) frame.data = changed.buffer
  return changed
}

onrtctransform = ({ transformer }) => {
  const { readable, writable, options } = transformer
  if (options.direction === 'receive' && options.kind === 'video') receivers.add(transformer)
  const through = new TransformStream({
    async transform(frame, output) {
      if (await pass(frame, options)) output.enqueue(frame)
    },
  })
  readable.pipeThrough(through).pipeTo(writable).catch(() => {}).finally(() => receivers.delete(transformer))
}
