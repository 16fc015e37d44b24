// A WHEP player on Pion: plays until standard input ends, and tells what it has seen as JSON, line by line.
//
// usage: pion-player URL
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp/codecs"
	"github.com/pion/webrtc/v3"
)

type report struct {
	mutex                                       sync.Mutex
	Video, Audio, Pictures, Gaps, Width, Height int
	Deleted                                     int
}

func (seen *report) tell() {
	line, err := json.Marshal(map[string]int{
		"video": seen.Video, "audio": seen.Audio, "pictures": seen.Pictures, "gaps": seen.Gaps,
		"width": seen.Width, "height": seen.Height, "deleted": seen.Deleted,
	})
	if err == nil {
		fmt.Println(string(line))
	}
}

func (seen *report) watch(connection *webrtc.PeerConnection, track *webrtc.TrackRemote) {
	isVideo := track.Kind() == webrtc.RTPCodecTypeVideo
	if isVideo {
		// Pion asks for nothing by itself.
		pli := []rtcp.Packet{&rtcp.PictureLossIndication{MediaSSRC: uint32(track.SSRC())}}
		if err := connection.WriteRTCP(pli); err != nil {
			log.Print(err)
		}
	}
	var next uint16
	for isFirst := true; ; isFirst = false {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		seen.mutex.Lock()
		if !isFirst && packet.SequenceNumber != next {
			seen.Gaps++
		}
		next = packet.SequenceNumber + 1
		if isVideo {
			seen.Video++
			if packet.Marker {
				seen.Pictures++
			}
			var vp8 codecs.VP8Packet
			// A key frame begins with its tag, a start code and its size (RFC 6386 section 9.1).
			data, err := vp8.Unmarshal(packet.Payload)
			if err == nil && vp8.S == 1 && vp8.PID == 0 && len(data) >= 10 && data[0]&1 == 0 {
				seen.Width = (int(data[6]) | int(data[7])<<8) & 0x3fff
				seen.Height = (int(data[8]) | int(data[9])<<8) & 0x3fff
			}
		} else {
			seen.Audio++
		}
		seen.tell()
		seen.mutex.Unlock()
	}
}

func main() {
	// Whatever happens, no test's process stays.
	time.AfterFunc(90*time.Second, func() { os.Exit(1) })
	address := os.Args[1]
	settings := webrtc.SettingEngine{}
	settings.SetIncludeLoopbackCandidate(true)
	media := &webrtc.MediaEngine{}
	if err := media.RegisterDefaultCodecs(); err != nil {
		log.Fatal(err)
	}
	api := webrtc.NewAPI(webrtc.WithSettingEngine(settings), webrtc.WithMediaEngine(media))
	connection, err := api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		log.Fatal(err)
	}
	seen := &report{}
	connection.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) { seen.watch(connection, track) })
	for _, kind := range []webrtc.RTPCodecType{webrtc.RTPCodecTypeAudio, webrtc.RTPCodecTypeVideo} {
		direction := webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}
		if _, err := connection.AddTransceiverFromKind(kind, direction); err != nil {
			log.Fatal(err)
		}
	}
	offer, err := connection.CreateOffer(nil)
	if err != nil {
		log.Fatal(err)
	}
	gathered := webrtc.GatheringCompletePromise(connection)
	if err := connection.SetLocalDescription(offer); err != nil {
		log.Fatal(err)
	}
	<-gathered
	response, err := http.Post(address, "application/sdp", strings.NewReader(connection.LocalDescription().SDP))
	if err != nil {
		log.Fatal(err)
	}
	answer, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || response.StatusCode != 201 {
		log.Fatal(response.Status, string(answer))
	}
	base, _ := url.Parse(address)
	session, _ := base.Parse(response.Header.Get("Location"))
	description := webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: string(answer)}
	if err := connection.SetRemoteDescription(description); err != nil {
		log.Fatal(err)
	}
	io.Copy(io.Discard, os.Stdin)
	connection.Close()
	request, _ := http.NewRequest("DELETE", session.String(), nil)
	if response, err := http.DefaultClient.Do(request); err == nil {
		seen.mutex.Lock()
		seen.Deleted = response.StatusCode
		seen.tell()
	}
}
