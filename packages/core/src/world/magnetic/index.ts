export { MAGNETIC_EPOCH, MagneticModel, magneticElementsInto } from "./world-magnetic-model.ts";
