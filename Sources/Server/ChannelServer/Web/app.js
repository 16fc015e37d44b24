import { capture, play, publish } from './media.js'

const $ = (id) => document.getElementById(id)
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** What goes on in one part of the page: at most one session, and a line that says how it stands. */
class Panel {
  #session = null
  #count = 0

  constructor(status, onEnd = () => {}) {
    this.status = $(status)
    this.onEnd = onEnd
  }

  get session() { return this.#session }

  say(text, isProblem = false) {
    this.status.textContent = text
    this.status.classList.toggle('problem', isProblem)
  }

  /** Begins a session instead of the present one; `begin` makes it. */
  async start(begin, text) {
    this.stop()
    const number = ++this.#count
    this.say('Connecting …')
    try {
      const session = await begin()
      if (number !== this.#count) return session.close()
      this.#session = session
      session.follow({ active: () => this.#follow(session, text), inactive: ({ uid }) => this.#miss(session, uid) })
      session.connection.onconnectionstatechange = () => this.#follow(session, text)
      this.#follow(session, text)
      session.ended.then(() => this.#lose(session))
    } catch (error) {
      if (number === this.#count) {
        const wantsToken = error.status === 401 || error.status === 403
        if (wantsToken) access.ask()
        this.say(wantsToken ? `${error.message} Enter a token for it above.` : error.message, true)
        this.onEnd()
      }
    }
  }

  #follow(session, text) {
    const state = session.connection.connectionState
    if (session !== this.#session) return
    if (state === 'connected') this.say(text(session))
    // The session looks for another path by itself, until the server says that it has ended.
    if (state === 'disconnected' || state === 'failed') this.say('The connection is interrupted …', true)
  }

  #miss(session, uid) {
    if (session === this.#session) this.say(`User ${uid} has left the stage; the picture comes back when it returns.`)
  }

  #lose(session) {
    if (session !== this.#session) return
    this.stop()
    this.say('The connection is lost.', true)
  }

  stop() {
    this.#count += 1
    this.#session?.close()
    this.#session = null
    this.say('')
    this.onEnd()
  }
}

const watching = new Panel('watch-status', () => {
  $('screen').srcObject = null
  $('watch-controls').hidden = true
})

let ownStream = null
const publishing = new Panel('publish-status', () => {
  ownStream?.getTracks().forEach((track) => track.stop())
  ownStream = null
  $('preview').srcObject = null
  $('publish-start').hidden = false
  $('publish-controls').hidden = true
})

/** Texts of the buttons for microphone and camera, while they are on and off. */
const muteTexts = { audio: ['Mute microphone', 'Unmute microphone'], video: ['Turn camera off', 'Turn camera on'] }

function showMuted(kind, isMuted) {
  const button = $(`publish-mute-${kind}`)
  button.textContent = muteTexts[kind][Number(isMuted)]
  button.setAttribute('aria-pressed', isMuted)
}

for (const kind of Object.keys(muteTexts)) {
  $(`publish-mute-${kind}`).onclick = async (event) => {
    const isMuted = event.currentTarget.getAttribute('aria-pressed') !== 'true'
    showMuted(kind, isMuted)
    try {
      await publishing.session?.setMuted({ [kind]: isMuted })
    } catch ({ message }) {
      publishing.say(message, true)
    }
  }
}

/** What a server that does not let everybody in has to be shown. It is kept as long as this page is open. */
const access = {
  get token() { return $('access-token').value.trim() },
  get uid() { return Number($('access-uid').value) || null },
  keep() {
    sessionStorage.setItem('token', this.token)
    sessionStorage.setItem('token-uid', $('access-uid').value)
  },
  begin() {
    $('access-token').value = sessionStorage.getItem('token') ?? ''
    $('access-uid').value = sessionStorage.getItem('token-uid') ?? ''
    if (this.token) this.ask()
  },
  ask() { $('access').hidden = false },
}
$('access').oninput = () => access.keep()
$('access').onsubmit = (event) => event.preventDefault()

function watch(channel, uid) {
  watching.start(
    async () => {
      const session = await play(channel, uid, $('screen'), { token: access.token, uid: access.uid })
      await session.setLayer(wantedLayer())
      return session
    },
    () => uid ? `Watching user ${uid} in ${channel}.` : `Watching ${channel}.`)
  $('watch-controls').hidden = false
}

/** Which of several encodings is wanted at most. */
const wantedLayer = () => $('watch-layer').value === '' ? {} : { spatial: Number($('watch-layer').value) }

$('watch-layer').onchange = () =>
  watching.session?.setLayer(wantedLayer()).catch(({ message }) => watching.say(message, true))
$('watch-stop').onclick = () => watching.stop()
$('publish-stop').onclick = () => publishing.stop()

$('publish').onsubmit = async (event) => {
  event.preventDefault()
  const channel = $('publish-channel').value.trim()
  const uid = Number($('publish-uid').value)
  $('publish-start').hidden = true
  $('publish').dataset.channel = channel
  await publishing.start(
    async () => {
      $('publish-start').hidden = true
      $('publish-controls').hidden = false
      for (const kind of Object.keys(muteTexts)) showMuted(kind, false)
      ownStream = await capture({
        audio: true,
        video: { width: { ideal: 640 }, height: { ideal: 360 }, frameRate: { ideal: 30 } },
      })
      $('preview').srcObject = ownStream
      return publish(channel, uid, ownStream, { token: access.token })
    },
    (session) => `On stage in ${channel} as user ${session.uid}.`)
}

function showChannels(channels) {
  const items = channels.flatMap(({ name, broadcasters, userCount }) => {
    const item = document.createElement('li')
    const title = document.createElement('span')
    title.textContent = `${name} (${userCount} ${userCount === 1 ? 'user' : 'users'})`
    item.append(title)
    for (const uid of broadcasters) {
      const button = document.createElement('button')
      button.textContent = `Watch ${uid}`
      button.onclick = () => watch(name, uid)
      item.append(button)
    }
    return [item]
  })
  $('channels').replaceChildren(...items)
  $('no-channels').hidden = items.length > 0
}

/** Nobody is told what is live here: who watches has to know. */
function showUnlisted() {
  $('no-channels').textContent = 'This server does not list its channels. Enter which one to watch, with a token for it.'
  $('watch').hidden = false
  access.ask()
}

$('watch').onsubmit = (event) => {
  event.preventDefault()
  watch($('watch-channel').value.trim(), Number($('watch-uid').value) || null)
}

/** The list is looked at again as long as the page is seen. */
async function followChannels() {
  let shown = ''
  for (;;) {
    try {
      const response = await fetch('/v1/channels')
      const text = await response.text()
      $('server-status').textContent = ''
      // A server with tokens tells nobody, and that stays so.
      if (response.status === 403) return showUnlisted()
      if (!response.ok) throw new Error(text)
      if (text !== shown) showChannels(JSON.parse(text).channels)
      shown = text
    } catch {
      $('server-status').textContent = 'The server cannot be reached.'
    }
    do await wait(1_000); while (document.hidden)
  }
}

access.begin()
const parameters = new URLSearchParams(location.search)
$('publish-uid').value = parameters.get('uid') ?? String(1 + Math.floor(Math.random() * 1_000_000))
if (parameters.has('channel')) $('publish-channel').value = parameters.get('channel')
if (parameters.has('watch')) watch(parameters.get('channel') ?? 'show', Number(parameters.get('watch')))
followChannels()
