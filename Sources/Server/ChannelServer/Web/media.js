// Media between this page and the server: WHIP (RFC 9725) to publish, WHEP to watch.

/** What a channel is for: in `live` broadcasters are seen, in `communication` everybody who publishes. */
export const ChannelProfile = Object.freeze({ communication: 0, live: 1 })

/** How long to wait before trying again to reach the server. */
const retryMilliseconds = 1000
const longestRetryMilliseconds = 8000

/**
 * Why something could not be done: a sentence for people, the server's HTTP status if it answered, and a code as in
 * `EngineErrorCode`, -1 if there is none.
 */
export class MediaError extends Error {
  constructor(message, { status = 0, code = -1 } = {}) {
    super(message)
    this.status = status
    this.code = code
  }
}

const unreachable = 'The server cannot be reached. Check the network and try again.'

/** Asks the server; failures are sentences. */
async function request(url, options) {
  let response
  try {
    response = await fetch(url, options)
  } catch {
    throw new MediaError(unreachable)
  }
  const text = await response.text()
  if (response.ok) return { response, text }
  throw problem(response, text)
}

/** What the server says with an answer that is an error. */
function problem({ status, headers }, text) {
  const code = Number(headers.get('Greenroom-Error')) || -1
  return new MediaError(text.trim() || `The server answered ${status}.`, { status, code })
}

// Of `EngineErrorCode`.
const startCamera = 1003
const cameraNotAuthorized = 1501

/** What a person can do about a camera or microphone that cannot be opened. */
const captureProblems = {
  NotAllowedError: 'The browser may not use camera and microphone. Allow it in the settings of this page, and try again.',
  NotFoundError: 'There is no camera or microphone. Connect one and try again.',
  NotReadableError: 'The camera or microphone is in use by another program. Close that and try again.',
  OverconstrainedError: 'The camera cannot make such pictures.',
}

/**
 * Opens camera and microphone, as `getUserMedia` does; failures are sentences. When `signal` (of an AbortController) says
 * meanwhile that nobody wants them any longer, they are closed again, and this fails.
 */
export async function capture(constraints, { signal } = {}) {
  if (!navigator.mediaDevices) {
    throw new MediaError(
      'Browsers open cameras for secure pages only: use https, or localhost.', { code: cameraNotAuthorized })
  }
  let stream
  try {
    stream = await navigator.mediaDevices.getUserMedia(constraints)
  } catch (error) {
    const code = error.name === 'NotAllowedError' ? cameraNotAuthorized : startCamera
    throw new MediaError(captureProblems[error.name] ?? error.message, { code })
  }
  if (!signal?.aborted) return stream
  for (const track of stream.getTracks()) track.stop()
  throw signal.reason
}

/**
 * One connection to the server; `close()` ends it on both sides. When the network changes, it goes on over the new one.
 */
export class MediaSession {
  #connection
  #address = null
  /** What the session has begun with; the server wants it for each change. */
  #authorization = {}
  #answer = ''
  #isClosed = false
  #isRestarting = false
  #listening = new AbortController()
  #eventAddress = null
  #end = null
  /**
   * Resolves when the session has ended, by either side: with a `MediaError` if the server has ended it, whose code says
   * why if somebody wanted that, else with null.
   */
  ended = new Promise((resolve) => { this.#end = resolve })

  constructor(connection) {
    this.#connection = connection
    this.uid = null
  }

  get connection() { return this.#connection }
  get isClosed() { return this.#isClosed }

  /** Offers, sends the offer to `url` and takes the answer. `token` is proof of the right to do so, or empty. */
  async negotiate(url, token = '') {
    if (token) this.#authorization = { Authorization: `Bearer ${token}` }
    await this.#orEnd(this.#connection.setLocalDescription())
    if (this.#isClosed) return
    const { response, text } = await request(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/sdp', ...this.#authorization },
      body: this.#connection.localDescription.sdp,
    })
    const events = response.headers.get('Link')?.match(/<([^>]*)>; rel="urn:ietf:params:whep:ext:core:server-sent-events"/)
    if (events) this.#eventAddress = new URL(events[1], response.url)
    this.#address = new URL(response.headers.get('Location'), response.url)
    this.uid = Number(response.headers.get('Greenroom-UID'))
    if (this.#isClosed) return this.#tell()
    this.#answer = text
    await this.#orEnd(this.#connection.setRemoteDescription({ type: 'answer', sdp: text }))
    if (!this.#isClosed) this.#watchNetwork()
  }

  /** What a connection is about to do when it is closed never ends by itself. */
  #orEnd(work) { return Promise.race([work, this.ended]) }

  /**
   * Tells what the server says of the user who is watched: `active({ uid, audio, video })` when it is there or publishes
   * something else, `inactive({ uid, reason })` when it has gone (0 left, 1 dropped, 2 became audience);
   * `tokenWillExpire()` when this session's token ends soon; and `unknown()` when nothing more will be told of all this.
   */
  follow({ active = () => {}, inactive = () => {}, tokenWillExpire = () => {}, unknown = () => {} }) {
    if (this.#eventAddress) this.#listen({ active, inactive, tokenWillExpire }, unknown, retryMilliseconds)
  }

  #listen(handlers, unknown, pause) {
    if (this.#isClosed) return
    const source = new EventSource(this.#eventAddress)
    for (const [kind, handler] of Object.entries(handlers)) {
      source.addEventListener(kind, ({ data }) => { if (!this.#isClosed) handler(JSON.parse(data)) })
    }
    let isAnswered = false
    source.onopen = () => {
      isAnswered = true
      pause = retryMilliseconds
    }
    source.onerror = () => {
      if (this.#isClosed) return
      if (source.readyState === EventSource.CLOSED) return unknown()
      // Behind an answer it asks again by itself, and at once: not a server that is gone.
      if (!isAnswered) {
        source.close()
        setTimeout(() => this.#listen(handlers, unknown, Math.min(2 * pause, longestRetryMilliseconds)), pause)
      }
      isAnswered = false
    }
    this.#listening.signal.addEventListener('abort', () => source.close())
  }

  #watchNetwork() {
    const { signal } = this.#listening
    const restart = () => this.restart().catch(() => {})
    this.#connection.addEventListener('iceconnectionstatechange', () => { if (this.#isCutOff) restart() }, { signal })
    addEventListener('online', restart, { signal })
    // Where it is known by what the page is connected (on phones); its other properties change all the time.
    const network = navigator.connection
    let type = network?.type
    network?.addEventListener?.('change', () => {
      if (network.type === type) return
      type = network.type
      restart()
    }, { signal })
  }

  get #isCutOff() { return ['disconnected', 'failed'].includes(this.#connection.iceConnectionState) }

  /** Looks for a path through the network again (an ICE restart); media goes on. Ends the session if the server has. */
  async restart() {
    if (this.#isRestarting || this.#isClosed || !this.#address) return
    this.#isRestarting = true
    try {
      await this.#exchangeCredentials()
    } catch (error) {
      if (this.#connection.signalingState === 'have-local-offer') {
        await this.#connection.setLocalDescription({ type: 'rollback' })
      }
      if (!this.#isClosed) setTimeout(() => { if (this.#isCutOff) this.restart().catch(() => {}) }, retryMilliseconds)
      throw error
    } finally {
      this.#isRestarting = false
    }
  }

  async #exchangeCredentials() {
    this.#connection.restartIce()
    await this.#connection.setLocalDescription()
    const response = await fetch(this.#address, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/trickle-ice-sdpfrag', 'If-Match': '*', ...this.#authorization },
      body: credentials(this.#connection.localDescription.sdp).map((line) => `${line}\r\n`).join(''),
    })
    const text = await response.text()
    if (response.status === 404) this.#endByServer(problem(response, text))
    if (!response.ok) throw problem(response, text)
    if (this.#isClosed) return
    for (const line of credentials(text)) {
      const [name] = line.split(':')
      this.#answer = this.#answer.replaceAll(new RegExp(`^${name}:.*$`, 'gm'), () => line)
    }
    await this.#connection.setRemoteDescription({ type: 'answer', sdp: this.#answer })
  }

  /**
   * Receives at most this much of a video that comes in several encodings: `spatial` 0 is the smallest picture,
   * `temporal` 0 the lowest frame rate; without them there is no limit.
   */
  async setLayer({ spatial, temporal } = {}) {
    await this.#post('layer', { maxSpatialLayerId: spatial, maxTemporalLayerId: temporal })
  }

  /** Mutes what this session publishes, or no longer; what is not given stays as it is. The others in the channel are told. */
  async setMuted({ audio, video } = {}) {
    if (audio === undefined && video === undefined) return
    for (const { track } of this.#connection.getSenders()) {
      const isMuted = { audio, video }[track?.kind]
      if (isMuted !== undefined) track.enabled = !isMuted
    }
    await this.#post('media', { muteAudio: audio, muteVideo: video })
  }

  async #post(name, content) {
    if (!this.#address || this.#isClosed) return
    await request(`${this.#address}/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...this.#authorization },
      body: JSON.stringify(content),
    })
  }

  /** Ends the session. Also works while the page goes away. */
  close() {
    if (this.#isClosed) return
    this.#finish(null)
    this.#tell()
  }

  /** There is nothing to take leave of. */
  #endByServer(error) {
    if (!this.#isClosed) this.#finish(error)
  }

  #finish(error) {
    this.#isClosed = true
    this.#listening.abort()
    this.#connection.close()
    this.#end(error)
  }

  #tell() {
    if (!this.#address) return
    fetch(this.#address, { method: 'DELETE', headers: this.#authorization, keepalive: true }).catch(() => {})
  }
}

/** The lines of a description's first ICE credentials. */
function credentials(description) {
  return ['a=ice-ufrag', 'a=ice-pwd'].map((name) => description.match(new RegExp(`^${name}:.*$`, 'm'))?.[0] ?? '')
}

/** A session that ends with the page, and when `signal` (of an AbortController) says so, also before it has begun. */
function makeSession(signal) {
  const session = new MediaSession(new RTCPeerConnection({ bundlePolicy: 'max-bundle' }))
  signal?.addEventListener('abort', () => session.close())
  addEventListener('pagehide', () => session.close(), { once: true })
  return session
}

/**
 * The encodings of a video for viewers with more and less bandwidth: as many as halve the picture and leave 180 lines.
 * The largest comes last.
 */
function encodings(track) {
  const { height = 0 } = track.getSettings()
  const names = ['q', 'h', 'f']
  const count = height >= 720 ? 3 : height >= 360 ? 2 : 1
  if (count === 1) return undefined
  return names.slice(3 - count).map((rid, place) => {
    const scale = 2 ** (count - 1 - place)
    const lines = height / scale
    return { rid, scaleResolutionDownBy: scale, maxBitrate: lines >= 720 ? 2_500_000 : lines >= 360 ? 700_000 : 200_000 }
  })
}

/**
 * Publishes a stream's tracks in a channel as user `uid`; large pictures of a show in several encodings. `transform(direction,
 * kind)` makes what frames go through between encoder and network (RTCRtpScriptTransform).
 */
export async function publish(channel, uid, stream, { profile = ChannelProfile.live, signal, token, transform } = {}) {
  const session = makeSession(signal)
  try {
    for (const track of stream.getTracks()) {
      const isForMany = track.kind === 'video' && profile === ChannelProfile.live
      const sendEncodings = isForMany ? encodings(track) : undefined
      const transceiver = session.connection.addTransceiver(
        track, { direction: 'sendonly', streams: [stream], ...(sendEncodings ? { sendEncodings } : {}) },
      )
      if (track.kind === 'video') preferVP8(transceiver)
      if (transform) pass(transceiver, transceiver.sender, transform('send', track.kind))
    }
    await session.negotiate(`/whip/${encodeURIComponent(channel)}?uid=${uid}&profile=${profile}`, token)
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

/**
 * Plays what user `from` of a channel publishes (or whoever is there, if `from` is null) in a media element, as user `uid`
 * (or as one whom the server chooses, if it is null).
 */
export async function play(
  channel, from, element,
  { kinds = ['audio', 'video'], profile = ChannelProfile.live, signal, token, transform, uid = null } = {},
) {
  const session = makeSession(signal)
  const stream = new MediaStream()
  session.connection.ontrack = ({ track, receiver }) => {
    if (session.isClosed) return
    // Shown as soon as it is there; the server's own buffers are short.
    receiver.jitterBufferTarget = 0
    stream.addTrack(track)
    element.srcObject = stream
  }
  try {
    for (const kind of kinds) {
      const transceiver = session.connection.addTransceiver(kind, { direction: 'recvonly' })
      if (transform) pass(transceiver, transceiver.receiver, transform('receive', kind))
    }
    const wish = (from ? `&from=${from}` : '') + (uid ? `&uid=${uid}` : '')
    await session.negotiate(`/whep/${encodeURIComponent(channel)}?profile=${profile}${wish}`, token)
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

/** Frames of a sender or receiver go through a transform. Redundant audio would be several frames in one. */
function pass(transceiver, end, transform) {
  end.transform = transform
  const kind = transceiver.receiver.track.kind
  if (kind !== 'audio') return
  const codecs = RTCRtpReceiver.getCapabilities(kind)?.codecs ?? []
  transceiver.setCodecPreferences(codecs.filter(({ mimeType }) => mimeType === 'audio/opus'))
}

/** VP8 is the one codec of the server. */
function preferVP8(transceiver) {
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? []
  const wanted = codecs.filter(({ mimeType }) => ['video/VP8', 'video/rtx'].includes(mimeType))
  if (wanted.length > 0) transceiver.setCodecPreferences(wanted)
}
