// Media between this page and the server: WHIP (RFC 9725) to publish, WHEP to watch.

/** What a channel is for: in `live` broadcasters are seen, in `communication` everybody who publishes. */
export const ChannelProfile = Object.freeze({ communication: 0, live: 1 })

/** One connection to the server; `close()` ends it on both sides. */
export class MediaSession {
  #connection
  #address = null
  #isClosed = false

  constructor(connection) {
    this.#connection = connection
    this.uid = null
  }

  get connection() { return this.#connection }

  /** Offers, sends the offer to `url` and takes the answer. */
  async negotiate(url) {
    await this.#connection.setLocalDescription()
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/sdp' },
      body: this.#connection.localDescription.sdp,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text.trim() || `The server answered ${response.status}.`)
    this.#address = new URL(response.headers.get('Location'), response.url)
    this.uid = Number(response.headers.get('Greenroom-UID'))
    if (this.#isClosed) return this.#tell()
    await this.#connection.setRemoteDescription({ type: 'answer', sdp: text })
  }

  /** Ends the session. Also works while the page goes away. */
  close() {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#connection.close()
    this.#tell()
  }

  #tell() {
    if (this.#address) fetch(this.#address, { method: 'DELETE', keepalive: true }).catch(() => {})
  }
}

function makeSession() {
  const session = new MediaSession(new RTCPeerConnection({ bundlePolicy: 'max-bundle' }))
  addEventListener('pagehide', () => session.close(), { once: true })
  return session
}

/** Publishes a stream's tracks in a channel as user `uid`. */
export async function publish(channel, uid, stream, profile = ChannelProfile.live) {
  const session = makeSession()
  try {
    for (const track of stream.getTracks()) {
      const transceiver = session.connection.addTransceiver(track, { direction: 'sendonly', streams: [stream] })
      if (track.kind === 'video') preferVP8(transceiver)
    }
    await session.negotiate(`/whip/${encodeURIComponent(channel)}?uid=${uid}&profile=${profile}`)
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

/** Plays what user `from` of a channel publishes (or whoever is there, if `from` is null) in a media element. */
export async function play(channel, from, element, { kinds = ['audio', 'video'], profile = ChannelProfile.live } = {}) {
  const session = makeSession()
  const stream = new MediaStream()
  session.connection.ontrack = ({ track, receiver }) => {
    // Shown as soon as it is there; the server's own buffers are short.
    receiver.jitterBufferTarget = 0
    stream.addTrack(track)
    element.srcObject = stream
  }
  try {
    for (const kind of kinds) session.connection.addTransceiver(kind, { direction: 'recvonly' })
    const wish = from ? `&from=${from}` : ''
    await session.negotiate(`/whep/${encodeURIComponent(channel)}?profile=${profile}${wish}`)
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

/** VP8 is the one codec of the server. */
function preferVP8(transceiver) {
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? []
  const wanted = codecs.filter(({ mimeType }) => ['video/VP8', 'video/rtx'].includes(mimeType))
  if (wanted.length > 0) transceiver.setCodecPreferences(wanted)
}
