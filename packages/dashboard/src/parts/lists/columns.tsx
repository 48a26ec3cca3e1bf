import { Menu } from "@mantine/core";
import { useState } from "react";
import { keep, kept } from "../../shell/kept.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import type { ListColumn, ListSearch } from "./list.js";

/**
 * Which columns a list shows, as `code,status`: those that somebody chose in this browser, but where the address names some, or a view
 * that has columns of its own. What is chosen there stays there.
 */
export function useColumns(list: string, { columns, view }: ListSearch, onAsk: (columns: string | undefined) => void) {
  const place = `columns.${list}`;
  const [own, setOwn] = useState(() => kept(place));
  if (columns !== undefined || view !== undefined) return { chosen: columns, choose: onAsk };
  const choose = (chosen: string | undefined) => {
    keep(place, chosen ?? null);
    setOwn(chosen ?? null);
  };
  return { chosen: own ?? undefined, choose };
}

const isFixed = <Row,>(column: ListColumn<Row>, place: number) => place === 0 || column.hidden_name === true;

/** Those that are shown, in the list's own order. A name that no column has any more says nothing. */
export function shownOf<Row>(all: readonly ListColumn<Row>[], chosen: string | undefined) {
  const named = chosen?.split(",");
  return all.filter((column, place) => isFixed(column, place) || (named?.includes(column.id) ?? !column.is_extra));
}

interface ColumnsMenuProps<Row> {
  all: readonly ListColumn<Row>[];
  chosen: string | undefined;
  onChoose: (columns: string | undefined) => void;
}

/** Which columns there are, each to be switched on and off. */
export function ColumnsMenu<Row>({ all, chosen, onChoose }: ColumnsMenuProps<Row>) {
  const shown = shownOf(all, chosen);
  const turn = (column: ListColumn<Row>, on: boolean) =>
    onChoose(
      all
        .filter((one) => (one === column ? on : shown.includes(one)))
        .map(({ id }) => id)
        .join(","),
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="small" icon="columns3">
          {t.list.columns}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {all.map(
          (column, place) =>
            !isFixed(column, place) && (
              <Menu.CheckboxItem key={column.id} checked={shown.includes(column)} onChange={(on) => turn(column, on)}>
                {column.name}
              </Menu.CheckboxItem>
            ),
        )}
        {chosen !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => onChoose(undefined)}>{t.list.columns_again}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
