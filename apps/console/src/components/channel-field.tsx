import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../lib/api';
import { useMe } from '../lib/me';
import { texts } from './components.texts';

const STAY_MS = 10 * 60_000;

/** Channels of the chat; the API caches them for ten minutes. */
const channelsQuery = queryOptions({
  queryKey: ['org', 'channels'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/org/channels', { signal })),
  staleTime: STAY_MS,
  retry: false,
});

/**
 * A channel of the chat. If a chat is connected, its channels are offered as completions; any other name can be typed.
 */
export function ChannelField(props: Omit<AutocompleteProps, 'data' | 'renderOption'>) {
  const isConnected = useMe().org.connected_services.chat;
  const [isFocused, setFocused] = useState(false);
  const { data } = useQuery({ ...channelsQuery, enabled: isConnected && isFocused });
  const channels = new Map((data?.channels ?? []).map((channel) => [`#${channel.name}`, channel]));
  return (
    <Autocomplete
      {...props}
      data={[...channels.keys()]}
      onFocus={() => setFocused(true)}
      renderOption={({ option }) => (
        <span style={{ display: 'flex', justifyContent: 'space-between', gap: 12, width: '100%' }}>
          <bdi className="mono">{option.value}</bdi>
          {channels.get(option.value)?.member === false && <span className="dim">{texts.notInChannel}</span>}
        </span>
      )}
    />
  );
}
