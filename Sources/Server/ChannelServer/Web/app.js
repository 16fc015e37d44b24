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
        this.say(error.message, true)
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
  $('publish-stop').hidden = true
})

function watch(channel, uid) {
  watching.start(
    async () => {
      const session = await play(channel, uid, $('screen'))
      await session.setLayer(wantedLayer())
      return session
    },
    () => `Watching user ${uid} in ${channel}.`)
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
      $('publish-stop').hidden = false
      ownStream = await capture({
        audio: true,
        video: { width: { ideal: 640 }, height: { ideal: 360 }, frameRate: { ideal: 30 } },
      })
      $('preview').srcObject = ownStream
      return publish(channel, uid, ownStream)
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

/** The list is looked at again as long as the page is seen. */
async function followChannels() {
  let shown = ''
  for (;;) {
    try {
      const text = await (await fetch('/v1/channels')).text()
      if (text !== shown) showChannels(JSON.parse(text).channels)
      shown = text
      $('server-status').textContent = ''
    } catch {
      $('server-status').textContent = 'The server cannot be reached.'
    }
    do await wait(1_000); while (document.hidden)
  }
}

const parameters = new URLSearchParams(location.search)
$('publish-uid').value = parameters.get('uid') ?? String(1 + Math.floor(Math.random() * 1_000_000))
if (parameters.has('channel')) $('publish-channel').value = parameters.get('channel')
if (parameters.has('watch')) watch(parameters.get('channel') ?? 'show', Number(parameters.get('watch')))
followChannels()
