/// The burnt-in clock (`FrameClock`) in JavaScript: `clockStream()` is a camera that draws it, `readClock(video)` reads it.
enum FrameClockScript {
  static let text = #"""
    if (!globalThis.readClock) {
    const COLUMNS = 40, TIME_BITS = 48n
    const columnStart = (column, width) => Math.floor((column * width + COLUMNS / 2) / COLUMNS)
    const rowStart = (row, height) => Math.floor((row * height * 2 + 22) / 45)

    function checksum(time) {
      let remainder = 0xffffffff
      for (let shift = 40n; shift >= 0n; shift -= 8n) {
        remainder = (remainder ^ Number((time >> shift) & 0xffn)) >>> 0
        for (let bit = 0; bit < 8; bit++) remainder = ((remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0)) >>> 0
      }
      return ~remainder >>> 0
    }

    globalThis.drawClock = (canvas, microseconds) => {
      const context = canvas.getContext('2d')
      const time = BigInt(Math.floor(microseconds))
      const bits = (time << 32n) | BigInt(checksum(time))
      for (let index = 0; index < 80; index++) {
        const [row, column] = [Math.floor(index / COLUMNS), index % COLUMNS]
        const [x, y] = [columnStart(column, canvas.width), rowStart(row, canvas.height)]
        context.fillStyle = (bits >> BigInt(79 - index)) & 1n ? '#fff' : '#000'
        context.fillRect(x, y, columnStart(column + 1, canvas.width) - x, rowStart(row + 1, canvas.height) - y)
      }
    }

    // `isBusy` fills the picture with what changes all the time, so that encoders use the bits they may.
    globalThis.clockStream = (width, height, { rate = 30, isBusy = false } = {}) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      document.body.append(canvas)
      const context = canvas.getContext('2d')
      const texture = isBusy ? noise(width / 4, height / 4) : null
      let count = 0
      setInterval(() => {
        context.fillStyle = `hsl(${(count++ * 3) % 360} 60% 50%)`
        context.fillRect(0, 0, width, height)
        if (texture) {
          const shift = (count * 12) % width
          for (const x of [shift - width, shift]) context.drawImage(texture, x, height / 4, width, height * 3 / 4)
        }
        drawClock(canvas, performance.now() * 1000)
      }, 1000 / rate)
      return canvas.captureStream(rate)
    }

    const noise = (width, height) => {
      const canvas = new OffscreenCanvas(width, height)
      const context = canvas.getContext('2d')
      const image = context.createImageData(width, height)
      let state = 1
      for (let place = 0; place < image.data.length; place++) {
        state = (state * 48271) % 2147483647
        image.data[place] = place % 4 == 3 ? 255 : state & 255
      }
      context.putImageData(image, 0, 0)
      return canvas
    }

    globalThis.readClock = (video) => {
      const [width, height] = [video.videoWidth, video.videoHeight]
      if (!width) return null
      const canvas = new OffscreenCanvas(width, height)
      const context = canvas.getContext('2d')
      context.drawImage(video, 0, 0)
      let [time, sum] = [0n, 0n]
      for (let index = 0; index < 80; index++) {
        const [row, column] = [Math.floor(index / COLUMNS), index % COLUMNS]
        const x = Math.floor((columnStart(column, width) + columnStart(column + 1, width)) / 2)
        const y = Math.floor((rowStart(row, height) + rowStart(row + 1, height)) / 2)
        const bit = context.getImageData(x, y, 1, 1).data[1] > 127 ? 1n : 0n
        if (index < 48) time = (time << 1n) | bit
        else sum = (sum << 1n) | bit
      }
      return Number(sum) === checksum(time) ? Number(time) : null
    }
    }
    true
    """#
}
