/** The parts of an API description that list the error codes of a call. */
interface Described {
  components: { responses?: Readonly<Record<string, Response | undefined>> };
}

interface Response {
  content?: Readonly<Record<string, { schema?: { allOf?: readonly ErrorSchema[] } } | undefined>>;
}

interface ErrorSchema {
  properties?: { data?: { properties?: { error?: { properties?: { code?: { enum?: readonly string[] } } } } } };
}

/** Error codes that an operation lists for a status, including those of its default response. */
export function listedErrors(
  description: object,
  operation: { responses: Readonly<Record<string, object | undefined>> } | undefined,
  status: number | string,
): readonly string[] {
  const { components } = description as Described;
  return [operation?.responses[String(status)], operation?.responses.default].flatMap((pointer) => {
    const name = pointer && '$ref' in pointer ? String(pointer.$ref).split('/').at(-1)! : '';
    const schemas = components.responses?.[name]?.content?.['application/json']?.schema?.allOf ?? [];
    return schemas.flatMap(({ properties }) => properties?.data?.properties?.error?.properties?.code?.enum ?? []);
  });
}
