/** Name of a field, marked if the field must have a value. */
export function FieldName({ text, required = false }: { text: string; required?: boolean | undefined }) {
  return (
    <>
      {text}
      {required ? (
        <span class="must" aria-hidden="true">
          {' '}
          *
        </span>
      ) : null}
    </>
  );
}
