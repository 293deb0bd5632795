export { MagneticModel, magneticElementsInto } from "./world-magnetic-model.ts";
