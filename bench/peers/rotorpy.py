"""Flies a hummingbird on a circle in RotorPy, and prints wall seconds. rotorpy.ts passes path, time and step."""

import sys
import time

sys.path.insert(0, sys.argv[1])
seconds, step = float(sys.argv[2]), float(sys.argv[3])

import numpy as np  # noqa: E402
from rotorpy.controllers.quadrotor_control import SE3Control  # noqa: E402
from rotorpy.trajectories.circular_traj import ThreeDCircularTraj  # noqa: E402
from rotorpy.vehicles.hummingbird_params import quad_params  # noqa: E402
from rotorpy.vehicles.multirotor import Multirotor  # noqa: E402

vehicle = Multirotor(quad_params)
controller = SE3Control(quad_params)
circle = ThreeDCircularTraj(center=np.zeros(3), radius=np.array([5.0, 5.0, 0.0]), freq=np.array([0.05, 0.05, 0.0]))
state = {key: np.array(value) for key, value in vehicle.initial_state.items()}
state["wind"] = np.zeros(3)

began = time.perf_counter()
for k in range(round(seconds / step)):
    control = controller.update(k * step, state, circle.update(k * step))
    state = vehicle.step(state, control, step)
    state["wind"] = np.zeros(3)
print(time.perf_counter() - began)
