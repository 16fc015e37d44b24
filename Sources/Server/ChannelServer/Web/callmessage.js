// Messages between the two sides of a call; docs/calls.md shows their JSON. In memory they are that JSON's objects.

/** What a message asks for. */
export const CallAction = Object.freeze({ videoCall: 0, cancelCall: 1, accept: 2, reject: 3, hangup: 4, audioCall: 10 })

/** What a busy side answers to a call. */
export const busyReason = 'The user is currently busy'

/** Why a call ends that has to be encrypted between the ends and cannot be. */
export const encryptionReason = 'The call cannot be encrypted between the ends'

/** Why a call ends whose channel the called user's application has joined for itself. */
export const channelReason = 'The channel of the call cannot be used'

const version = '1.0'
const isCount = (value) => Number.isSafeInteger(value) && value >= 0
const isText = (value) => typeof value === 'string'
/** Longest id of a call, in bytes of UTF-8: as in Swift. */
const maximumCallIDByteCount = 128
const isCallID = (value) => isText(value) && new TextEncoder().encode(value).length <= maximumCallIDByteCount
const isKey = (value) => isText(value) && /^([0-9a-f]{2})*$/i.test(value)
/** How deep values may be nested, counted from the message: as in Swift. */
const maximumDepth = 32
/** Whether a value that is `depth` deep has no number that is too large, and goes on no deeper than allowed: as in Swift. */
const isPossible = (value, depth) => depth <= maximumDepth && value !== Infinity && value !== -Infinity
  && (typeof value !== 'object' || value === null || Object.values(value).every((inner) => isPossible(inner, depth + 1)))
/** Whether every half of a character (surrogate) that a JSON text has as an escape has its other half: as in Swift. */
const hasWholeCharacters = (text) =>
  !/\\ud[89a-f]/i.test(text.replaceAll('\\\\', '  ').replace(/\\ud[89ab]..\\ud[c-f]../gi, ' '))
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is missing or as it should be. */
const fits = (value, test) => value === undefined || value === null || test(value)

/** The members of a call's messages that each action has, besides those of all. */
function extras(action, fields) {
  const {
    remoteUserId, fromRoomId, rejectReason, rejectByInternal, cancelCallByInternal, hangupReason, e2ePublicKey,
  } = fields
  switch (action) {
    case CallAction.videoCall:
    case CallAction.audioCall: return { remoteUserId, fromRoomId, e2ePublicKey }
    case CallAction.accept: return { e2ePublicKey }
    case CallAction.cancelCall: return { cancelCallByInternal: cancelCallByInternal === 1 ? 1 : 0 }
    case CallAction.reject: return { rejectReason, rejectByInternal: rejectByInternal === 1 ? 1 : 0 }
    case CallAction.hangup: return { hangupReason }
    default: return {}
  }
}

/** A message with the members that belong to its action; those without a value are left out. */
export function makeMessage(action, fields) {
  const { fromUserId, callId = '', messageId, fromUserExtension, message_timestamp = 0 } = fields
  const members = {
    message_action: action, message_version: version, message_timestamp, messageId, fromUserId, callId,
    fromUserExtension, ...extras(action, fields),
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))
}

/** Reads a message's text; null for anything else. */
export function readMessage(text) {
  let fields
  if (!hasWholeCharacters(text)) return null
  try { fields = JSON.parse(text) } catch { return null }
  if (!isObject(fields) || fields.message_version !== version) return null
  const action = fields.message_action
  const isUnderstood = Object.values(CallAction).includes(action) && isCount(fields.fromUserId)
    && fits(fields.callId, isCallID)
    && ['fromRoomId', 'rejectReason', 'hangupReason'].every((name) => fits(fields[name], isText))
    && ['message_timestamp', 'messageId', 'rejectByInternal', 'cancelCallByInternal']
      .every((name) => fits(fields[name], Number.isSafeInteger))
    && fits(fields.remoteUserId, isCount) && fits(fields.fromUserExtension, isObject)
    && isPossible(fields.fromUserExtension, 1)
  const e2ePublicKey = isKey(fields.e2ePublicKey) ? fields.e2ePublicKey : undefined
  return isUnderstood
    ? makeMessage(action, { ...fields, e2ePublicKey, callId: fields.callId ?? '', message_timestamp: fields.message_timestamp ?? 0 })
    : null
}

/** Whether a message begins a call. */
export const isCall = ({ message_action: action }) => action === CallAction.videoCall || action === CallAction.audioCall

/** Whether a channel may have this name; as `ControlProtocol.isValidChannelName` has it. */
export const isPossibleRoom = (room) => isText(room) && /^[A-Za-z0-9!#$%&()+\-:;<=.>?@[\]^_{}|~, ]{1,63}$/.test(room)

/** The message as the details of a state: without its number and key. */
export function infoOf({ messageId, e2ePublicKey, ...info }) {
  return info
}
