import { capture, play, publish } from './media.js'
import { Panel } from './panel.js'

const $ = (id) => document.getElementById(id)
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const watching = new Panel($('watch-status'), {
  onEnd() {
    $('screen').srcObject = null
    $('watch-controls').hidden = true
    noteOnScreen('')
  },
  onRefused: () => access.ask(),
})

/** Why there is no picture, where the picture would be: the last one that came is not to be taken for the present. */
function noteOnScreen(text) {
  $('screen-note').textContent = text
  $('screen-note').hidden = !text
  $('screen').classList.toggle('dimmed', text !== '')
}

let ownStream = null
const publishing = new Panel($('publish-status'), {
  onEnd() {
    ownStream?.getTracks().forEach((track) => track.stop())
    ownStream = null
    $('preview').srcObject = null
    $('publish-start').hidden = false
    $('publish-controls').hidden = true
  },
  onRefused: () => access.ask(),
})

/** Texts of the buttons for microphone and camera, while they are on and off. */
const muteTexts = { audio: ['Mute microphone', 'Unmute microphone'], video: ['Turn camera off', 'Turn camera on'] }

const isMuted = (kind) => $(`publish-mute-${kind}`).getAttribute('aria-pressed') === 'true'

function showMuted(kind, isMuted) {
  const button = $(`publish-mute-${kind}`)
  button.textContent = muteTexts[kind][Number(isMuted)]
  button.setAttribute('aria-pressed', isMuted)
}

for (const kind of Object.keys(muteTexts)) {
  $(`publish-mute-${kind}`).onclick = async () => {
    showMuted(kind, !isMuted(kind))
    try {
      await publishing.session?.setMuted({ [kind]: isMuted(kind) })
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

/** Who is on stage of those who are watched, and whether the server tells at all: by its events. */
class Stage {
  #users = new Map()
  #hasLeft = null
  isKnown = true

  constructor(channel, uid) {
    this.channel = channel
    this.uid = uid
  }

  enter({ uid, audio, video }) {
    if (!this.uid || uid === this.uid) this.#users.set(uid, { audio, video })
  }

  leave({ uid }) { if (this.#users.delete(uid)) this.#hasLeft = uid }

  /** Nothing has been told yet. */
  clear() {
    this.#users.clear()
    this.isKnown = true
  }

  /** Whoever is watched: without a wish the one with the smallest number. */
  get #watched() { return this.#users.get(Math.min(...this.#users.keys())) }

  /** Why there is no picture; empty if there is one. */
  get note() {
    if (!this.isKnown) return ''
    if (!this.#watched) return this.uid ? `User ${this.uid} is not on stage` : 'Nobody is on stage'
    return this.#watched.video ? '' : 'The camera is off'
  }

  get text() {
    const { channel, uid } = this
    if (this.isKnown && !this.#watched) {
      if (uid && this.#hasLeft) return `User ${uid} has left the stage; the picture comes back when it returns.`
      return uid
        ? `User ${uid} is not on stage in ${channel}; the picture comes when it is.`
        : `Nobody is on stage in ${channel}; the picture comes when somebody is.`
    }
    const { audio = true, video = true } = this.#watched ?? {}
    const off = [video ? '' : ' The camera is off.', audio ? '' : ' The microphone is muted.'].join('')
    return (uid ? `Watching user ${uid} in ${channel}.` : `Watching ${channel}.`) + off
  }
}

function watch(channel, uid) {
  const stage = new Stage(channel, uid)
  const change = (body) => (told) => {
    body(told)
    watching.show()
  }
  watching.start(
    async (signal) => {
      stage.clear()
      const session = await play(channel, uid, $('screen'), { signal, token: access.token, uid: access.uid })
      await session.setLayer(wantedLayer())
      return session
    },
    () => {
      noteOnScreen(stage.note)
      return stage.text
    },
    {
      active: change((user) => stage.enter(user)),
      inactive: change((user) => stage.leave(user)),
      unknown: change(() => { stage.isKnown = false }),
    })
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
    async (signal, isAgain) => {
      if (!isAgain) {
        $('publish-start').hidden = true
        $('publish-controls').hidden = false
        for (const kind of Object.keys(muteTexts)) showMuted(kind, false)
        ownStream = await capture({
          audio: true,
          video: { width: { ideal: 640 }, height: { ideal: 360 }, frameRate: { ideal: 30 } },
        }, { signal })
        $('preview').srcObject = ownStream
      }
      const session = await publish(channel, uid, ownStream, { signal, token: access.token })
      const [audio, video] = ['audio', 'video'].map((kind) => isMuted(kind) || undefined)
      await session.setMuted({ audio, video })
      return session
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
// A picture that is waited for would keep the page from being loaded.
if (parameters.has('watch')) {
  addEventListener('load', () => watch(parameters.get('channel') ?? 'show', Number(parameters.get('watch'))))
}
followChannels()
