/** A process of its own, so that what it costs to attack is not measured: `attacker.mjs NAME TARGET`, the target as JSON. */
import { ATTACKS } from './attacks.mjs';

const [name, target] = process.argv.slice(2);
await ATTACKS[name](JSON.parse(target));
