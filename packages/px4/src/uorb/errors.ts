/** Errors of uORB message definitions. */
import { defineErrors } from "@escapement/core";

export const px4UorbErrors = defineErrors("UORB", {
  badDeclaration: {
    number: 1,
    title: "a PX4 message definition cannot be read",
    explain:
      "The layout of PX4's messages is derived from their definitions (msg/*.msg). A line is neither a field nor a constant, or the type of a field is unknown.",
  },
  unknownLayout: {
    number: 2,
    title: "the loaded PX4 uses a message whose definition is not known",
    explain:
      "Each message has a hash of its definition. No known definition has the hash of the loaded library, so the offsets of the fields are unknown and nothing is sent. Set PX4_MSG_DIR to the msg folder of the PX4 tree from which the library was built.",
  },
  missingField: {
    number: 3,
    title: "a PX4 message lacks a field that the bridge fills or reads",
    explain:
      "The message definition of the loaded PX4 has no field of that name and type. This PX4 is too old or too new for the bridge.",
  },
});
