-- TotalView-ITCH 5.0 for tshark, from the specification's tables: offset of each field by message type, big-endian.
-- Wireshark's own nasdaq_itch knows the text formats 2.0 and 3.0 only.
local itch = Proto("itch50", "Nasdaq TotalView-ITCH 5.0")

local fields = {
    code = ProtoField.string("itch50.code", "Message Type"),
    locate = ProtoField.uint16("itch50.locate", "Stock Locate"),
    timestamp = ProtoField.uint64("itch50.timestamp", "Timestamp"),
    order = ProtoField.uint64("itch50.order", "Order Reference Number"),
    new_order = ProtoField.uint64("itch50.new_order", "New Order Reference Number"),
    side = ProtoField.string("itch50.side", "Buy/Sell Indicator"),
    shares = ProtoField.uint64("itch50.shares", "Shares"),
    stock = ProtoField.string("itch50.stock", "Stock"),
    price = ProtoField.uint32("itch50.price", "Price"),
    state = ProtoField.string("itch50.state", "Trading State"),
}
itch.fields = fields

local length_of = {
    order = 8, new_order = 8, side = 1, shares = 4, stock = 8, price = 4, state = 1,
}

local layouts = {
    R = { stock = 11 },
    H = { stock = 11, state = 19 },
    A = { order = 11, side = 19, shares = 20, stock = 24, price = 32 },
    F = { order = 11, side = 19, shares = 20, stock = 24, price = 32 },
    E = { order = 11, shares = 19 },
    C = { order = 11, shares = 19, price = 32 },
    X = { order = 11, shares = 19 },
    D = { order = 11 },
    U = { order = 11, new_order = 19, shares = 27, price = 31 },
    P = { order = 11, side = 19, shares = 20, stock = 24, price = 32 },
}

function itch.dissector(buffer, packet, root)
    local tree = root:add(itch, buffer())
    local code = buffer(0, 1):string()
    tree:add(fields.code, buffer(0, 1))
    tree:add(fields.locate, buffer(1, 2))
    tree:add(fields.timestamp, buffer(5, 6))
    for name, offset in pairs(layouts[code] or {}) do
        tree:add(fields[name], buffer(offset, length_of[name]))
    end
end

DissectorTable.get("moldudp64.payload"):add_for_decode_as(itch)
