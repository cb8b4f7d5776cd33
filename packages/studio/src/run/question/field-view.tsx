import type { Json } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../../part/button.tsx';
import { Icon } from '../../part/icon.tsx';
import { JsonEditor } from '../editor/json-editor.tsx';
import type { Draft, Field } from './fields.ts';

interface FieldProps {
  readonly field: Field;
  readonly draft: Draft;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (path: string, value: Json | undefined) => void;
}

/** A field of a form, with its constraint beside its label and its problem below it. */
export function FieldView(props: FieldProps): JSX.Element {
  const { field, problems } = props;
  const id = useId();
  const problem = problems.get(field.path);
  const described = problem === undefined ? undefined : `${id}-problem`;
  const isGrouped = field.widget === 'choice' || field.widget === 'group' || field.widget === 'list';
  const label = (
    <>
      {field.label} {field.hint !== '' && <span class="req">{field.hint}</span>}
    </>
  );
  const control = <Control {...props} id={id} described={described} />;
  const below = problem !== undefined && (
    <span class="err" id={described}>
      <Icon name="warn" />
      {problem}
    </span>
  );
  if (isGrouped)
    return (
      <fieldset class={`field w-${field.widget}`} data-path={field.path} aria-describedby={described}>
        <legend class="lbl">{label}</legend>
        {control}
        {below}
      </fieldset>
    );
  return (
    <div class={`field w-${field.widget}`} data-path={field.path}>
      <label for={id} id={`${id}-label`}>
        {label}
      </label>
      {control}
      {below}
    </div>
  );
}

interface ControlProps extends FieldProps {
  readonly id: string;
  readonly described: string | undefined;
}

function Control(props: ControlProps): JSX.Element {
  const { field, draft, problems, onChange, id, described } = props;
  switch (field.widget) {
    case 'choice':
      return <Choices {...props} />;
    case 'group':
      return (
        <div class="group">
          {field.fields.map((each) => (
            <FieldView key={each.path} field={each} draft={draft} problems={problems} onChange={onChange} />
          ))}
        </div>
      );
    case 'list':
      return <TextList {...props} />;
    case 'json':
      return (
        <JsonEditor
          id={id}
          labelId={`${id}-label`}
          describedBy={described}
          value={textOf(draft[field.path])}
          isBad={problems.has(field.path)}
          onChange={(value) => onChange(field.path, value)}
        />
      );
    default:
      return <Input {...props} />;
  }
}

function textOf(given: Json | undefined): string {
  if (typeof given === 'string') return given;
  return given === undefined || given === null ? '' : JSON.stringify(given);
}

/** A field for text, of one line or several; or a list to choose from. */
function Input(props: ControlProps): JSX.Element {
  const { field, draft, problems, onChange, id, described } = props;
  const { path, widget, schema } = field;
  const isBad = problems.has(path);
  const shared = {
    id,
    class: isBad ? 'in bad' : 'in',
    'aria-invalid': isBad,
    'aria-describedby': described,
    'aria-required': field.isRequired,
  } as const;
  const value = textOf(draft[path]);
  if (widget === 'select') return <Select {...props} shared={shared} />;
  if (widget === 'area')
    return (
      <textarea {...shared} rows={2} value={value} onInput={(event) => onChange(path, event.currentTarget.value)} />
    );
  const modes = {
    integer: 'numeric',
    number: 'decimal',
    string: schema.format === 'email' ? 'email' : 'text',
  } as const;
  const inputMode = schema.type === 'integer' || schema.type === 'number' ? modes[schema.type] : modes.string;
  return (
    <input
      {...shared}
      inputMode={inputMode}
      autoComplete="off"
      value={value}
      onInput={(event) => onChange(path, event.currentTarget.value)}
    />
  );
}

function Choices({ field, draft, onChange, id }: ControlProps): JSX.Element {
  const { path, options } = field;
  return (
    <div class="opts">
      {options.map(({ label, value }) => {
        const isOn = JSON.stringify(draft[path]) === JSON.stringify(value);
        return (
          <label key={label} class={isOn ? 'opt on' : 'opt'}>
            <input type="radio" name={id} checked={isOn} onChange={() => onChange(path, value)} />
            {label}
          </label>
        );
      })}
    </div>
  );
}

function Select({ field, draft, onChange, shared }: ControlProps & { readonly shared: object }): JSX.Element {
  const { path, options } = field;
  const at = options.findIndex(({ value }) => JSON.stringify(value) === JSON.stringify(draft[path]));
  return (
    <select
      {...shared}
      value={String(at)}
      onChange={(event) => onChange(path, options[Number(event.currentTarget.value)]?.value)}
    >
      <option value="-1">Choose one</option>
      {options.map(({ label }, index) => (
        <option key={label} value={String(index)}>
          {label}
        </option>
      ))}
    </select>
  );
}

function TextList({ field, draft, onChange }: ControlProps): JSX.Element {
  const given = draft[field.path];
  const items: readonly Json[] = Array.isArray(given) ? given : [];
  const set = (next: readonly Json[]): void =>
    onChange(field.path, next.length === 0 && !field.isRequired ? undefined : [...next]);
  return (
    <div class="textlist">
      {items.map((item, index) => (
        <div class="row" key={index}>
          <input
            class="in"
            aria-label={`${field.label} ${index + 1}`}
            value={typeof item === 'string' ? item : JSON.stringify(item)}
            onInput={(event) => set(items.with(index, event.currentTarget.value))}
          />
          <Button
            isSmall
            kind="ghost"
            icon="x"
            label={`Remove ${field.label} ${index + 1}`}
            onClick={() => set(items.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button isSmall icon="plus" onClick={() => set([...items, ''])}>
        Add
      </Button>
    </div>
  );
}
