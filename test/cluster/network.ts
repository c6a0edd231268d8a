import { type Place } from '../support/programs.js';
import { ip, namesOf, removeNetwork } from './namespaces.mjs';

/**
 * Hosts in a separate network, each connected to a bridge by one cable. This machine is at the bridge, outside of all
 * hosts.
 */
export interface Network {
  /** Address of this machine in the network. */
  outside: string;
  /** In CIDR notation. */
  subnet: string;
  hosts: readonly Host[];
  /** Kills the programs on the hosts, and removes the hosts. */
  dispose(): Promise<void>;
}

export interface Host extends Place {
  name: string;
  /** Pulls the cable: packets are lost without an error to either side. */
  cutOff(): Promise<void>;
  plugIn(): Promise<void>;
}

export async function createNetwork(size: number): Promise<Network> {
  // Set by scripts/test-cluster.mjs, which removes the network when this process cannot.
  const id = process.env.PLUMBLINE_CLUSTER_ID ?? String(process.pid);
  const names = namesOf(id);
  // Concurrent runs use different networks.
  const net = `10.${String(128 + ((Number(id) >> 8) & 63))}.${String(Number(id) & 255)}`;
  const outside = `${net}.1`;
  await ip('link', 'add', names.bridge, 'type', 'bridge');
  try {
    await ip('address', 'add', `${outside}/24`, 'dev', names.bridge);
    await ip('link', 'set', names.bridge, 'up');
    const hosts: Host[] = [];
    for (let host = 0; host < size; host++) {
      const [namespace, cable, address] = [names.namespace(host), names.cable(host), `${net}.${String(10 + host)}`];
      await ip('netns', 'add', namespace);
      await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      await ip('link', 'set', cable, 'master', names.bridge, 'up');
      await ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      await ip('-n', namespace, 'link', 'set', 'lo', 'up');
      await ip('-n', namespace, 'link', 'set', 'eth0', 'up');
      hosts.push({
        name: `host ${String(host + 1)}`,
        address,
        enter: ['ip', 'netns', 'exec', namespace],
        cutOff: async () => void (await ip('link', 'set', cable, 'down')),
        plugIn: async () => void (await ip('link', 'set', cable, 'up')),
      });
    }
    return { outside, subnet: `${net}.0/24`, hosts, dispose: () => removeNetwork(id) };
  } catch (error) {
    await removeNetwork(id);
    throw error;
  }
}
