/**
 * A separate process, so that the cost of the attack itself is not measured: `attacker.mjs NAME TARGET`, with the
 * target as JSON. `all` runs all attacks at the same time.
 */
import { ATTACKS } from './attacks.mjs';

const [name, target] = process.argv.slice(2);
const attacks = name === 'all' ? Object.values(ATTACKS) : [ATTACKS[name]];
await Promise.all(attacks.map((attack) => attack(JSON.parse(target))));
