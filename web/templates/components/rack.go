package components

// The places of RackPicture, worked out here because templates do not compute.

type rackSystem struct{ top, gpus, vents string }

var (
	rackSystems = []rackSystem{
		{"445.5", "523", "M15 463h196M15 471h196M15 479h196"},
		{"341.5", "419", "M15 359h196M15 367h196M15 375h196"},
		{"237.5", "315", "M15 255h196M15 263h196M15 271h196"},
	}
	rackGPUs     = []string{"15", "39.5", "64", "88.5", "113", "137.5", "162", "186.5"}
	rackSwitches = []string{"107.5", "81.5", "55.5"}
)
