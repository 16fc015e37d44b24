/// `CallAPI` of callapi.js in a page, with neither media nor server.
enum CallLayerScript {
  /// Makes `layer(options)`: user 5 with `calls`, the `log` of what it is told and sends, the `endings` of its requests,
  /// and `open`, the answers that texts wait for. Keys take some milliseconds to make; `keyWork` counts them.
  static let text = """
    (async () => {
      const [{ CallAPI }, { CallRoom }, { SignalError }] =
        [await import('/callapi.js'), await import('/callroom.js'), await import('/signal.js')]
      // A channel in which nothing happens.
      globalThis.fetch = () => new Promise(() => {})
      // What a room shows to the server goes out a little later.
      const { join } = CallRoom.prototype
      CallRoom.prototype.join = function () {
        if (this.token) globalThis.onToken?.(this.token)
        return join.call(this)
      }
      globalThis.Worker = class { postMessage() {} terminate() {} }
      globalThis.RTCRtpScriptTransform = class {}
      globalThis.RTCPeerConnection = class {
        localDescription = { sdp: '' }
        addTransceiver = () => ({ receiver: { track: {} }, sender: {}, setCodecPreferences() {} })
        async setLocalDescription() {}
        close() {}
      }
      globalThis.pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
      globalThis.keyWork = 0
      for (const name of ['generateKey', 'deriveBits']) {
        const work = crypto.subtle[name].bind(crypto.subtle)
        crypto.subtle[name] = async (...values) => {
          keyWork += 1
          await pause(3)
          return work(...values)
        }
      }
      globalThis.layer = ({ listener } = {}) => {
        const [log, endings, open, questions] = [[], [], [], []]
        globalThis.onToken = (token) => log.push(`joins with ${token}`)
        const channels = new Set(['elsewhere'])
        const user = { log, endings, open, channels, ownCallID: '', lastCallID: '', requestCount: 0 }
        const signal = {
          send(text, to) {
            const { message_action: action, callId, e2ePublicKey } = JSON.parse(text)
            log.push(`send ${action} to ${to}, key ${e2ePublicKey !== undefined}`)
            if (action === 0) user.lastCallID = callId
            return new Promise((resolve, reject) => open.push({ resolve, reject }))
          },
        }
        const calls = new CallAPI({
          userID: 5, signal, view: document.createElement('video'), capture: async () => null,
          isElsewhere: (room) => channels.has(room),
        })
        user.calls = calls
        if (listener) calls.addListener(listener)
        calls.addListener({
          onCallStateChanged: (state, reason, text) => log.push(`state ${state} ${reason} ${text}`),
          onCallEventChanged: (event) => { if (event !== 112 || user.tellsLeaving) log.push(`event ${event}`) },
          onCallError: (event, type, code, message) => log.push(`error ${event} ${type} ${code} ${message ?? ''}`),
          onCallConnected: (room, caller, own) => log.push(`connected ${room} ${caller} ${own}`),
          onCallDisconnected: (room, ender, own) => log.push(`disconnected ${room} ${ender} ${own}`),
          callDebugInfo: (message) => log.push(`debug ${message}`),
        })
        const end = (name, promise) => {
          const number = ++user.requestCount
          promise.then(
            () => endings.push(`${number} ${name}: done`),
            ({ code, message }) => endings.push(`${number} ${name}: ${code} ${message}`))
        }
        user.take = (step) => {
          switch (step.do) {
            case 'prepare': return end('prepare', calls.prepareForCall({
              roomID: 'R5', callTimeoutMilliseconds: 0, endToEndEncryption: step.encryption,
              isFirstFrameWaitingDisabled: step.isFirstFrameWaitingDisabled,
              tokenProvider: step.hasTokens && ((room, uid) => {
                log.push(`asked ${room} ${uid}`)
                return new Promise((resolve, reject) => questions.push({ resolve, reject }))
              }),
            }))
            case 'renewToken': return calls.renewToken('next')
            case 'join':
              channels.add(step.room)
              return calls.takeChannel(step.room)
            case 'token': {
              const question = questions.shift()
              // A failure says the same as null.
              return step.token === 'failure' ? question?.reject(new Error('no desk')) : question?.resolve(step.token)
            }
            case 'text': return calls.receive(step.text.replaceAll('$own', user.ownCallID), step.from)
            case 'sent': {
              const answer = open.shift()
              return step.isDelivered ? answer?.resolve() : answer?.reject(new SignalError('Nobody is there.', 1404))
            }
            case 'reject': return end('reject', calls.reject(step.peer, 'no'))
            case 'hangup': return end('hangup', calls.hangup(step.peer, 'enough'))
            default: return end(step.do, calls[step.do](step.peer))
          }
        }
        // Comes back when all that has been asked for is done.
        user.settle = async () => {
          for (let round = 0; round < 3; round++) {
            await calls.accept(0).catch(() => {})
            await pause(0)
          }
        }
        return user
      }
      globalThis.walk = async (bursts) => {
        const user = layer()
        const transcript = []
        for (const [index, burst] of bursts.entries()) {
          performance.now = () => 1_000 + \(CallLayerUser.pace) * index
          user.log.length = user.endings.length = 0
          user.ownCallID = user.lastCallID
          for (const step of burst) user.take(step)
          await user.settle()
          const { state, callID, authenticationText } = user.calls
          const summary = `state ${state}, call ${callID !== ''}, digits ${authenticationText !== null}`
          transcript.push([...user.log, ...user.endings, summary])
        }
        return JSON.stringify(transcript)
      }
    })()
    """
}
