// What the engine's users see of lower floors, so that one import is enough.
@_exported import enum ControlWire.ChannelProfile
@_exported import enum ControlWire.ClientRole
@_exported import enum ControlWire.StreamFallbackOption
@_exported import enum ControlWire.UserOfflineReason
@_exported import struct ControlWire.UserMediaState
@_exported import enum EngineCore.ClientRoleChangeFailedReason
@_exported import struct EngineCore.ConnectionTiming
@_exported import enum EngineCore.ConnectionChangedReason
@_exported import enum EngineCore.ConnectionState
@_exported import enum EngineCore.EncryptionErrorType
@_exported import enum EngineCore.EngineErrorCode
@_exported import enum EngineCore.EngineWarningCode
@_exported import enum EngineCore.RemoteAudioState
@_exported import enum EngineCore.RemoteAudioStateReason
@_exported import enum EngineCore.RemoteVideoState
@_exported import enum EngineCore.RemoteVideoStateReason
@_exported import enum EngineCore.RenewTokenResult
@_exported import enum EngineCore.MediaTraceEvent
@_exported import enum EngineCore.StreamPublishState
@_exported import enum EngineCore.StreamSubscribeState
@_exported import struct EngineCore.VideoRenderingTracingInfo
@_exported import AudioProcessing
@_exported import MediaBase
@_exported import struct PictureFilters.BeautyOptions
