import { Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Failed } from '../../../components/page-states';
import { MODELS_AT_ONCE, modelsQuery } from '../api/benchmark';
import { type ModelId } from '../benchmark-search';
import { texts } from '../benchmark.texts';
import classes from '../benchmark.module.css';

const ROW_HEIGHT = 44;
const ROWS = 7;

/** The models that will run, each with a description. */
export function ModelChoice({
  chosen,
  onChange,
}: {
  chosen: readonly ModelId[];
  onChange: (models: ModelId[]) => void;
}) {
  const { data, error, refetch } = useQuery(modelsQuery);
  if (!data) {
    return error ? (
      <Failed error={error} onRetry={() => void refetch()} isOld={false} />
    ) : (
      <Skeleton height={ROWS * ROW_HEIGHT} aria-busy="true" />
    );
  }
  return (
    <Checkbox.Group
      label={texts.models}
      description={texts.modelsHint(MODELS_AT_ONCE)}
      value={[...chosen]}
      error={chosen.length === 0 ? texts.noModel : undefined}
      // In the order of the list, regardless of the order of clicks.
      onChange={(next) => onChange(data.models.map(({ id }) => id).filter((id) => next.includes(id)))}
    >
      <Stack gap={6} mt={8} className={classes.models}>
        {data.models.map(({ id, name, description, speed, minimum_points: points }) => (
          <Checkbox
            key={id}
            value={id}
            size="xs"
            label={
              <Group gap="0 8px">
                <Text size="sm" span>
                  {name}
                </Text>
                <Text size="xs" className="dim" span>
                  {texts.speed[speed]}, {texts.needs(points)}
                </Text>
              </Group>
            }
            description={description}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
