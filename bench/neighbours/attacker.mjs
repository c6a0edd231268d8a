/**
 * A process of its own, so that what it costs to attack is not measured: `attacker.mjs NAME TARGET`, the target as JSON.
 * `all` attacks in all ways at the same time.
 */
import { ATTACKS } from './attacks.mjs';

const [name, target] = process.argv.slice(2);
const attacks = name === 'all' ? Object.values(ATTACKS) : [ATTACKS[name]];
await Promise.all(attacks.map((attack) => attack(JSON.parse(target))));
