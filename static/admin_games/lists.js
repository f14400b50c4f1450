// Gives each cell of a list the name of its column. On phones, where the heads of columns are hidden, rows are cards that show it.

const list = document.querySelector("#result_list");
const names = [...(list?.querySelectorAll("thead th") ?? [])].map((head) => head.querySelector(".text")?.textContent?.trim() ?? "");

for (const row of list?.querySelectorAll("tbody tr") ?? []) {
  [...row.children].forEach((cell, column) => {
    if (cell instanceof HTMLElement && names[column]) cell.dataset.columnName = names[column];
  });
}
