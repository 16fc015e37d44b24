// A plain SFU on Pion, as its examples build one: the baseline that the forwarding benchmark compares with.
//
//	POST /whip/NAME   an offer to publish
//	POST /whep/NAME   an offer to watch what is published under that name
//	GET  /healthz     "ok"
//	GET  /tracks/NAME names of the tracks that are published under that name, one a line
//
// It forwards RTP through TrackLocalStaticRTP and passes picture loss indications on; nothing else.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pion/ice/v2"
	"github.com/pion/interceptor"
	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v3"
)

// What is published under one name.
type channel struct {
	mutex     sync.Mutex
	publisher *webrtc.PeerConnection
	tracks    []*webrtc.TrackLocalStaticRTP
	// SSRCs of the publisher's video.
	videoSSRCs []webrtc.SSRC
	lastPLI    time.Time
}

type server struct {
	api      *webrtc.API
	mutex    sync.Mutex
	channels map[string]*channel
}

func (s *server) channel(name string) *channel {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	found := s.channels[name]
	if found == nil {
		found = &channel{}
		s.channels[name] = found
	}
	return found
}

func makeAPI(interceptors string, port int) (*webrtc.API, error) {
	media := &webrtc.MediaEngine{}
	video := []webrtc.RTCPFeedback{{Type: "ccm", Parameter: "fir"}, {Type: "nack"}, {Type: "nack", Parameter: "pli"}}
	codecs := []struct {
		parameters webrtc.RTPCodecParameters
		kind       webrtc.RTPCodecType
	}{
		{webrtc.RTPCodecParameters{
			RTPCodecCapability: webrtc.RTPCodecCapability{
				MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2, SDPFmtpLine: "minptime=10;useinbandfec=1"},
			PayloadType: 111}, webrtc.RTPCodecTypeAudio},
		{webrtc.RTPCodecParameters{
			RTPCodecCapability: webrtc.RTPCodecCapability{
				MimeType: webrtc.MimeTypeVP8, ClockRate: 90000, RTCPFeedback: video},
			PayloadType: 96}, webrtc.RTPCodecTypeVideo},
	}
	for _, codec := range codecs {
		if err := media.RegisterCodec(codec.parameters, codec.kind); err != nil {
			return nil, err
		}
	}
	registry := &interceptor.Registry{}
	if interceptors == "default" {
		if err := webrtc.RegisterDefaultInterceptors(media, registry); err != nil {
			return nil, err
		}
	}
	settings := webrtc.SettingEngine{}
	settings.SetLite(true)
	settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	settings.SetIncludeLoopbackCandidate(true)
	settings.SetIPFilter(func(address net.IP) bool { return address.IsLoopback() })
	settings.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
	if err := settings.SetAnsweringDTLSRole(webrtc.DTLSRoleServer); err != nil {
		return nil, err
	}
	if port != 0 {
		socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
		if err != nil {
			return nil, err
		}
		_ = socket.SetReadBuffer(4 << 20)
		_ = socket.SetWriteBuffer(4 << 20)
		settings.SetICEUDPMux(webrtc.NewICEUDPMux(nil, socket))
	}
	return webrtc.NewAPI(
		webrtc.WithMediaEngine(media), webrtc.WithInterceptorRegistry(registry),
		webrtc.WithSettingEngine(settings)), nil
}

func (c *channel) requestKeyFrame() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.publisher == nil || time.Since(c.lastPLI) < 100*time.Millisecond {
		return
	}
	c.lastPLI = time.Now()
	for _, ssrc := range c.videoSSRCs {
		_ = c.publisher.WriteRTCP([]rtcp.Packet{&rtcp.PictureLossIndication{MediaSSRC: uint32(ssrc)}})
	}
}

func (s *server) publish(name string, offer string) (string, error) {
	connection, err := s.api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return "", err
	}
	room := s.channel(name)
	room.mutex.Lock()
	room.publisher = connection
	room.tracks = nil
	room.videoSSRCs = nil
	room.mutex.Unlock()
	connection.OnTrack(func(remote *webrtc.TrackRemote, receiver *webrtc.RTPReceiver) {
		local, err := webrtc.NewTrackLocalStaticRTP(remote.Codec().RTPCodecCapability, remote.Kind().String(), name)
		if err != nil {
			log.Print(err)
			return
		}
		room.mutex.Lock()
		room.tracks = append(room.tracks, local)
		if remote.Kind() == webrtc.RTPCodecTypeVideo {
			room.videoSSRCs = append(room.videoSSRCs, remote.SSRC())
		}
		room.mutex.Unlock()
		go func() {
			for {
				if _, _, err := receiver.ReadRTCP(); err != nil {
					return
				}
			}
		}()
		buffer := make([]byte, 1500)
		for {
			count, _, err := remote.Read(buffer)
			if err != nil {
				return
			}
			if _, err := local.Write(buffer[:count]); err != nil && !errors.Is(err, io.ErrClosedPipe) {
				log.Print(err)
			}
		}
	})
	return answer(connection, offer)
}

func (s *server) watch(name string, offer string) (string, error) {
	connection, err := s.api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return "", err
	}
	room := s.channel(name)
	room.mutex.Lock()
	tracks := append([]*webrtc.TrackLocalStaticRTP{}, room.tracks...)
	room.mutex.Unlock()
	for _, track := range tracks {
		sender, err := connection.AddTrack(track)
		if err != nil {
			_ = connection.Close()
			return "", err
		}
		go func() {
			for {
				packets, _, err := sender.ReadRTCP()
				if err != nil {
					return
				}
				for _, packet := range packets {
					switch packet.(type) {
					case *rtcp.PictureLossIndication, *rtcp.FullIntraRequest:
						room.requestKeyFrame()
					}
				}
			}
		}()
	}
	connection.OnConnectionStateChange(func(state webrtc.PeerConnectionState) {
		switch state {
		case webrtc.PeerConnectionStateConnected:
			room.requestKeyFrame()
		case webrtc.PeerConnectionStateFailed:
			_ = connection.Close()
		}
	})
	return answer(connection, offer)
}

func answer(connection *webrtc.PeerConnection, offer string) (string, error) {
	description := webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offer}
	if err := connection.SetRemoteDescription(description); err != nil {
		_ = connection.Close()
		return "", err
	}
	gathered := webrtc.GatheringCompletePromise(connection)
	local, err := connection.CreateAnswer(nil)
	if err == nil {
		err = connection.SetLocalDescription(local)
	}
	if err != nil {
		_ = connection.Close()
		return "", err
	}
	<-gathered
	return connection.LocalDescription().SDP, nil
}

func (s *server) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	parts := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
	if request.URL.Path == "/healthz" {
		fmt.Fprintln(response, "ok")
		return
	}
	if len(parts) == 2 && parts[0] == "tracks" {
		room := s.channel(parts[1])
		room.mutex.Lock()
		for _, track := range room.tracks {
			fmt.Fprintln(response, track.Kind())
		}
		room.mutex.Unlock()
		return
	}
	if request.Method != http.MethodPost || len(parts) != 2 {
		http.Error(response, "POST an offer to /whip/NAME or /whep/NAME", http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(io.LimitReader(request.Body, 1<<16))
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	var text string
	switch parts[0] {
	case "whip":
		text, err = s.publish(parts[1], string(body))
	case "whep":
		text, err = s.watch(parts[1], string(body))
	default:
		http.NotFound(response, request)
		return
	}
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	response.Header().Set("Content-Type", "application/sdp")
	response.Header().Set("Location", request.URL.Path+"/1")
	response.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(response, text)
}

func main() {
	address := flag.String("http", "127.0.0.1:0", "where to listen for HTTP")
	port := flag.Int("udp", 0, "one UDP port for all media; 0 for a port of its own for each connection")
	interceptors := flag.String("interceptors", "none", "none; or default: NACK, reports and transport-wide feedback")
	flag.Parse()
	api, err := makeAPI(*interceptors, *port)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr())
	log.Fatal(http.Serve(listener, &server{api: api, channels: map[string]*channel{}}))
}
