package sciencedefs

import (
	. "github.com/go-nx/nx/defn"
)

// A double pendulum: two masses on rods, which swing without friction until one of them turns over or time is up.

const gravity = 9.81

// Pendulum is a state of motion.
type Pendulum struct {
	Angle1, Angle2 Tensor // from below
	Speed1, Speed2 Tensor
}

// Body is what does not change.
type Body struct {
	Mass1, Mass2     Tensor
	Length1, Length2 Tensor
}

func (p Pendulum) plus(q Pendulum, h Tensor) Pendulum {
	return Pendulum{
		Angle1: p.Angle1 + h*q.Angle1,
		Angle2: p.Angle2 + h*q.Angle2,
		Speed1: p.Speed1 + h*q.Speed1,
		Speed2: p.Speed2 + h*q.Speed2,
	}
}

// accelerations are those of both angles.
func (b Body) accelerations(p Pendulum) (a1, a2 Tensor) {
	delta := p.Angle1 - p.Angle2
	sin, cos := Sin(delta), Cos(delta)
	total := b.Mass1 + b.Mass2
	v1, v2 := p.Speed1*p.Speed1*b.Length1, p.Speed2*p.Speed2*b.Length2
	denominator := b.Mass1 + b.Mass2*sin*sin

	a1 = -b.Mass2*sin*(v1*cos+v2) - gravity*(total*Sin(p.Angle1)-b.Mass2*Sin(p.Angle2)*cos)
	a1 /= b.Length1 * denominator
	a2 = sin*(total*v1+b.Mass2*v2*cos) + gravity*total*(Sin(p.Angle1)*cos-Sin(p.Angle2))
	a2 /= b.Length2 * denominator
	return a1, a2
}

// slope is the derivative of the state by time.
func (b Body) slope(p Pendulum) Pendulum {
	a1, a2 := b.accelerations(p)
	return Pendulum{p.Speed1, p.Speed2, a1, a2}
}

// Step goes on by a time, by the classical method of Runge and Kutta.
func (b Body) Step(p Pendulum, h Tensor) Pendulum {
	k1 := b.slope(p)
	k2 := b.slope(p.plus(k1, h/2))
	k3 := b.slope(p.plus(k2, h/2))
	k4 := b.slope(p.plus(k3, h))
	for _, k := range []struct {
		slope  Pendulum
		weight float64
	}{{k1, 1}, {k2, 2}, {k3, 2}, {k4, 1}} {
		p = p.plus(k.slope, h*Tensor(k.weight)/6)
	}
	return p
}

// Energy is kinetic and potential energy, which stays.
func (b Body) Energy(p Pendulum) Tensor {
	v1, v2 := p.Speed1*b.Length1, p.Speed2*b.Length2
	y1 := -b.Length1 * Cos(p.Angle1)
	y2 := y1 - b.Length2*Cos(p.Angle2)
	kinetic := b.Mass1*v1*v1/2 + b.Mass2/2*(v1*v1+v2*v2+2*v1*v2*Cos(p.Angle1-p.Angle2))
	return kinetic + gravity*(b.Mass1*y1+b.Mass2*y2)
}

// Swing goes on until a rod turns over, for a time at most, and returns the time and the state then.
func (b Body) Swing(p Pendulum, h, limit Tensor) (time Tensor, last Pendulum) {
	for time < limit {
		next := b.Step(p, h)
		if Abs(next.Angle1) > 3 || Abs(next.Angle2) > 3 {
			return time, next
		}
		p = next
		time += h
	}
	return time, p
}

// Run goes on by a number of steps.
func (b Body) Run(p Pendulum, h Tensor, steps int) Pendulum {
	for range Steps(Tensor(steps)) {
		p = b.Step(p, h)
	}
	return p
}

// Sensitivity is the derivative of the position of the lower mass after some steps by the state at their start.
func (b Body) Sensitivity(p Pendulum, h Tensor, steps int) Pendulum {
	return Grad(func(p Pendulum) Tensor {
		q := b.Run(p, h, steps)
		return b.Length1*Sin(q.Angle1) + b.Length2*Sin(q.Angle2)
	})(p)
}
