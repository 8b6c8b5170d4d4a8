package abi

// ErrorDestroyArgs is PJRT_Error_Destroy_Args.
type ErrorDestroyArgs struct {
	Header
	Error Error
}

// ErrorMessageArgs is PJRT_Error_Message_Args.
type ErrorMessageArgs struct {
	Header
	Error       Error
	Message     *byte
	MessageSize uintptr
}

// ErrorGetCodeArgs is PJRT_Error_GetCode_Args.
type ErrorGetCodeArgs struct {
	Header
	Error Error
	Code  Code
}

// PluginInitializeArgs is PJRT_Plugin_Initialize_Args.
type PluginInitializeArgs struct {
	Header
}

// PluginAttributesArgs is PJRT_Plugin_Attributes_Args.
type PluginAttributesArgs struct {
	Header
	Attributes    *NamedValue
	NumAttributes uintptr
}

// EventDestroyArgs is PJRT_Event_Destroy_Args.
type EventDestroyArgs struct {
	Header
	Event Event
}

// EventIsReadyArgs is PJRT_Event_IsReady_Args.
type EventIsReadyArgs struct {
	Header
	Event   Event
	IsReady bool
}

// EventErrorArgs is PJRT_Event_Error_Args.
type EventErrorArgs struct {
	Header
	Event Event
}

// EventAwaitArgs is PJRT_Event_Await_Args.
type EventAwaitArgs struct {
	Header
	Event Event
}

// EventOnReadyArgs is PJRT_Event_OnReady_Args.
type EventOnReadyArgs struct {
	Header
	Event    Event
	Callback uintptr
	UserArg  uintptr
}
