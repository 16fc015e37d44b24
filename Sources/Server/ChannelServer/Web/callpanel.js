// The part of the page for calls.

import { CallEncryptionPolicy, CallErrorEvent, CallEvent, CallState, CallStateReason, CallType } from './call.js'
import { CallAPI } from './callapi.js'
import { capture } from './media.js'
import { SignalClient, SignalConnectionState } from './signal.js'

const $ = (id) => document.getElementById(id)
const Reason = CallStateReason
const title = document.title

/** What the status line says after a call; `user` is the other side. */
const endings = {
  [Reason.localRejected]: () => 'You rejected the call.',
  [Reason.remoteRejected]: (user) => `${user} rejected the call.`,
  [Reason.localHangup]: () => 'You hung up.',
  [Reason.remoteHangup]: (user) => `${user} hung up.`,
  [Reason.localCancelled]: () => 'You gave up the call.',
  [Reason.remoteCancelled]: (user) => `${user} gave up the call.`,
  [Reason.callingTimeout]: () => `The call with user ${peer} did not come about in time.`,
  [Reason.remoteCallingTimeout]: () => `The call with user ${peer} did not come about in time.`,
  [Reason.remoteCallBusy]: (user) => `${user} is in another call.`,
}

/** One's own camera and microphone for calls; open from the wish to call until the call's end. */
const own = {
  stream: null,
  isVideo: false,
  /** Counts what has been closed. */
  count: 0,

  /** Null if it is closed before it is open. `globalThis.captureForCall` stands in for the devices in tests. */
  async open(isVideo) {
    if (this.stream && this.isVideo === isVideo) return this.stream
    this.close()
    const { count } = this
    const stream = await (globalThis.captureForCall?.(isVideo) ?? capture({
      audio: true,
      video: isVideo && { width: { ideal: 640 }, height: { ideal: 360 }, frameRate: { ideal: 30 } },
    }))
    if (count !== this.count) {
      stop(stream)
      return null
    }
    Object.assign(this, { stream, isVideo })
    $('call-own').srcObject = stream
    return stream
  },

  close() {
    this.count += 1
    if (this.stream) stop(this.stream)
    this.stream = null
    $('call-own').srcObject = null
  },
}

function stop(stream) {
  for (const track of stream.getTracks()) track.stop()
}

const signal = new SignalClient()
let calls = null
/** The other side of the present call or of the last one. */
let peer = null
/** A call that has been asked for: its id, once it is under way. */
let wish = null
/** Resolves when the last logout is done. */
let leaving = Promise.resolve()

function say(text, isProblem = false) {
  $('call-status').textContent = text
  $('call-status').classList.toggle('problem', isProblem)
}

/** Shows what can be done now. */
function show(rings = false) {
  const state = calls?.state ?? CallState.idle
  const isUnderWay = state > CallState.prepared
  $('call-login').hidden = calls !== null
  $('call-form').hidden = state !== CallState.prepared
  $('call-ringing').hidden = !rings
  $('call-hangup').hidden = !isUnderWay || rings
  $('call-logout').hidden = calls === null || isUnderWay
  $('call-pictures').hidden = !isUnderWay || rings || calls.callType !== CallType.video
  $('call-hangup').textContent = state === CallState.calling ? 'Cancel' : 'Hang up'
  const digits = calls?.authenticationText ?? ''
  $('call-digits').hidden = state !== CallState.connected || !digits
  $('call-digits').querySelector('output').textContent = digits
  $('call').classList.toggle('active', isUnderWay)
  if (isUnderWay) $('call').scrollIntoView({ block: 'nearest' })
  document.title = rings ? `User ${peer} calls` : title
}

const listener = {
  onCallStateChanged(state, reason, _, info) {
    peer = calls.remoteUserID ?? peer
    const user = `User ${peer}`
    if (wish && [Reason.localVideoCall, Reason.localAudioCall].includes(reason)) {
      wish.callID = info.callId
      wish = null
    }
    const rings = [Reason.remoteVideoCall, Reason.remoteAudioCall].includes(reason)
    show(rings)
    if (rings) say(`${user} calls you${reason === Reason.remoteVideoCall ? ' with video' : ''}.`)
    else if (state === CallState.calling) say(`Calling user ${peer} …`)
    else if (state === CallState.connecting) say(`Connecting with user ${peer} …`)
    else if (state === CallState.connected) say(`In a call with user ${peer}.`)
    else if (state === CallState.prepared && reason !== Reason.none) this.onEnd(endings[reason]?.(user) ?? '')
  },

  onEnd(text) {
    own.close()
    say(text)
  },

  /** In the channel again after trouble, on either side. */
  onCallEventChanged(event) {
    if (calls.state !== CallState.connected) return
    if (event === CallEvent.remoteLeft) return say(`User ${peer} is gone; waiting whether it comes back …`, true)
    if ([CallEvent.localJoined, CallEvent.remoteJoined].includes(event)) say(`In a call with user ${peer}.`)
  },

  onCallError(event, type, code, message) {
    // What could not be sent is said by whoever asked for it; what ends a call ends it here all the same.
    if (event === CallErrorEvent.sendMessageFail) return
    say(message, true)
    if (event === CallErrorEvent.startCaptureFail) end()
  },
}

function end() {
  if (calls?.state === CallState.calling) calls.cancelCall().catch(() => {})
  else if (calls?.remoteUserID) calls.hangup(calls.remoteUserID).catch(() => {})
}

/** The code of texts to somebody who is not logged in. */
const userOffline = 1404

/** Codes of a token that is for another application, has ended, or is missing or no good. */
const tokenProblems = [101, 109, 110]

/** What a server that does not let everybody in has to be shown: for signalling, and for rooms of calls. */
const accessToken = () => $('access-token').value.trim()

async function login(uid) {
  const api = new CallAPI({
    userID: uid, signal, view: $('call-screen'), capture: (isVideo) => own.open(isVideo),
    isElsewhere: (room) => !$('publish-controls').hidden && $('publish').dataset.channel === room,
  })
  say('Going online …')
  await leaving
  try {
    await signal.login(uid, accessToken())
  } catch (error) {
    if (tokenProblems.includes(error.code)) $('access').hidden = false
    return say(error.message, true)
  }
  calls = api
  calls.addListener(listener)
  await calls.prepareForCall({
    rtcToken: accessToken(),
    endToEndEncryption: $('call-e2e').checked ? CallEncryptionPolicy.required : CallEncryptionPolicy.preferred,
  })
  show()
  say(`Others can call you at ${uid}.`)
}

function logout() {
  leaving = leave(calls)
  calls = null
  wish = null
  own.close()
  show()
  say('')
}

/** The call layer has the last word before the signalling ends. */
async function leave(api) {
  api?.removeListener(listener)
  await api?.deinitialize()
  own.close()
  signal.logout()
}

async function call(type) {
  const to = Number($('call-peer').value)
  if (to === calls.userID) return say('That is your own number.', true)
  try {
    if (!await own.open(type === CallType.video)) return
  } catch (error) {
    return say(error.message, true)
  }
  // Somebody has called meanwhile.
  if (calls?.state !== CallState.prepared || wish) return
  const mine = { callID: '' }
  wish = mine
  calls.call(to, type).catch((error) => {
    if (wish === mine) wish = null
    giveUp(mine.callID, error, () => calls.cancelCall())
  })
}

/** The devices first: who cannot open them does not accept. */
async function accept() {
  const { remoteUserID, callID, callType } = calls
  try {
    if (!await own.open(callType === CallType.video)) return
  } catch (error) {
    return say(error.message, true)
  }
  if (calls?.callID !== callID) return own.close()
  calls.accept(remoteUserID).catch((error) => giveUp(callID, error, () => calls.reject(remoteUserID)))
}

/** What has to be sent for the call could not be. */
function giveUp(callID, error, leave) {
  if (calls?.callID !== callID) return
  const user = calls.remoteUserID
  leave().catch(() => {})
  say(error.code === userOffline ? `Nobody is online with the number ${user}. Try again later.` : error.message, true)
}

$('access').addEventListener('change', () => {
  if (!calls || !accessToken()) return
  calls.renewToken(accessToken())
  signal.renewToken(accessToken()).catch(({ message }) => say(message, true))
})

signal.onMessage = (text, from) => calls?.receive(text, from)
signal.onConnectionStateChanged = (state, cause) => {
  if (state === SignalConnectionState.reconnecting) say('The server cannot be reached; trying again …', true)
  if (state === SignalConnectionState.connected && calls) {
    say(calls.state === CallState.connected ? `In a call with user ${peer}.` : `Others can call you at ${signal.uid} again.`)
  }
  if (state === SignalConnectionState.disconnected && cause && calls) {
    logout()
    say(cause.message, true)
  }
}

$('call-login').onsubmit = (event) => {
  event.preventDefault()
  login(Number($('call-uid').value))
}
$('call-logout').onclick = logout
$('call-form').onsubmit = (event) => {
  event.preventDefault()
  call(event.submitter?.value === 'audio' ? CallType.audio : CallType.video)
}
$('call-accept').onclick = accept
$('call-reject').onclick = () => calls.reject(calls.remoteUserID).catch(() => {})
$('call-hangup').onclick = end
addEventListener('pagehide', logout)
// A call there, which somebody else has made, must not be in the way of the show.
$('publish').addEventListener('submit', () => calls?.takeChannel($('publish-channel').value.trim()))

const parameters = new URLSearchParams(location.search)
$('call-uid').value = parameters.get('uid') ?? String(1 + Math.floor(Math.random() * 999_999))
if (parameters.has('e2e')) $('call-e2e').checked = true
if (parameters.has('call')) $('call-peer').value = parameters.get('call')
show()
